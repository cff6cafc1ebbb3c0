import type { Category } from "./goods.ts";

/** Shops for electronics and clothes. */
export const techShops: readonly Category[] = [
  {
    name: "electronics",
    shops: ["Volt & Wire", "The Charging Point", "Pixel Harbor", "Signal House"],
    products: [
      {
        product: "charger",
        kinds: ["travel", "wireless", "car", "solar", "desktop"],
        packs: { "": 1 },
        price: 32,
        about: "Charges most phones in an hour.",
      },
      {
        product: "cable",
        kinds: ["braided", "magnetic", "extension", "coiled"],
        packs: { "1 m": 1, "3 m": 1.5 },
        price: 11,
        about: "Made to be bent.",
      },
      {
        product: "speaker",
        kinds: ["portable", "bookshelf", "shower", "soundbar"],
        packs: { "": 1 },
        price: 79,
        about: "With ten hours of battery.",
      },
      {
        product: "keyboard",
        kinds: ["mechanical", "compact", "ergonomic", "folding"],
        packs: { "": 1 },
        price: 74,
        about: "Quiet keys with a long travel.",
      },
      {
        product: "mouse",
        kinds: ["wireless", "vertical", "trackball", "travel"],
        packs: { "": 1 },
        price: 36,
        about: "Works on glass.",
      },
      {
        product: "tablet",
        kinds: ["reading", "drawing", "children's", "rugged"],
        packs: { "64 GB": 1, "256 GB": 1.5 },
        price: 299,
        about: "With a matte screen.",
      },
      {
        product: "camera",
        kinds: ["action", "instant", "compact", "trail"],
        packs: { "": 1 },
        price: 249,
        about: "With a card and a strap.",
      },
      {
        product: "power bank",
        kinds: ["slim", "solar", "laptop", "magnetic"],
        packs: { "10 Ah": 1, "20 Ah": 1.6 },
        price: 34,
        about: "Allowed in cabin luggage.",
      },
    ],
  },
  {
    name: "fashion",
    shops: ["Thread & Needle", "The Coat Rack", "Blue Button", "Hem House"],
    products: [
      {
        product: "shirt",
        kinds: ["linen", "flannel", "denim", "oxford", "striped"],
        packs: { S: 1, M: 1.001, L: 1.002 },
        price: 39,
        about: "Cut with room to move.",
      },
      {
        product: "sweater",
        kinds: ["merino", "cashmere", "cotton", "fisherman's"],
        packs: { M: 1, L: 1.01 },
        price: 69,
        about: "Knitted in one piece.",
      },
      {
        product: "jacket",
        kinds: ["rain", "denim", "quilted", "wool"],
        packs: { M: 1, L: 1.01 },
        price: 119,
        about: "With inside pockets.",
      },
      {
        product: "sock",
        kinds: ["wool", "running", "dress", "slipper"],
        packs: { "1 pair": 1, "5 pairs": 4.2 },
        price: 8,
        about: "With a flat seam.",
      },
      {
        product: "scarf",
        kinds: ["silk", "wool", "cotton", "checked"],
        packs: { "": 1 },
        price: 34,
        about: "Long enough to wrap twice.",
      },
      {
        product: "hat",
        kinds: ["straw", "felt", "bucket", "beanie"],
        packs: { "": 1 },
        price: 28,
        about: "Keeps its form.",
      },
      {
        product: "belt",
        kinds: ["leather", "woven", "elastic", "braided"],
        packs: { "": 1 },
        price: 31,
        about: "With a brass buckle.",
      },
      {
        product: "bag",
        kinds: ["tote", "messenger", "weekend", "clutch"],
        packs: { "": 1 },
        price: 58,
        about: "With a zip inside.",
      },
    ],
  },
];
