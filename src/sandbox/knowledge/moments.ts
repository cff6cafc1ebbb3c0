import type { Random } from "../../base/random.ts";

/** A theme of posts: something done, and where or how. Each pair reads as one sentence. */
interface Theme {
  readonly does: readonly string[];
  readonly how: readonly string[];
}

const themes: readonly Theme[] = [
  {
    does: [
      "Walked the coast path",
      "Watched the sun come up",
      "Crossed the ridge",
      "Slept under the stars",
      "Swam in cold water",
      "Picked blueberries",
      "Found a hidden waterfall",
    ],
    how: [
      "with the whole crew",
      "all alone",
      "in pouring rain",
      "before breakfast",
      "after a week at the desk",
      "with a borrowed tent",
    ],
  },
  {
    does: [
      "Baked sourdough",
      "Cooked my grandmother's stew",
      "Made fresh pasta",
      "Tried pickling radishes",
      "Rolled forty dumplings",
      "Burned the caramel twice",
      "Grilled vegetables",
    ],
    how: [
      "for the first time",
      "for eleven people",
      "without a recipe",
      "on the balcony",
      "until midnight",
      "with help from the neighbors",
    ],
  },
  {
    does: [
      "Ran ten kilometers",
      "Climbed my first overhang",
      "Went back to the pool",
      "Finished the spring race",
      "Learned to row",
      "Played three sets",
      "Cycled to work",
    ],
    how: [
      "in under an hour",
      "despite the wind",
      "with a sore knee",
      "thanks to my coach",
      "on four hours of sleep",
      "faster than last year",
    ],
  },
  {
    does: [
      "Finished a novel",
      "Sorted the bookshelf",
      "Read poems aloud",
      "Joined a reading evening",
      "Bought far too many paperbacks",
      "Reread an old favorite",
      "Visited the book fair",
    ],
    how: [
      "on the night train",
      "in the library garden",
      "instead of sleeping",
      "with a pot of tea",
      "during the long weekend",
      "at the corner cafe",
    ],
  },
  {
    does: [
      "Repainted the kitchen",
      "Repaired the old bicycle",
      "Built a bookshelf",
      "Planted tomatoes",
      "Carried a sofa up five floors",
      "Hung the pictures",
      "Fixed the dripping tap",
    ],
    how: [
      "with two left hands",
      "and only cursed once",
      "after three trips to the hardware store",
      "in one afternoon",
      "with a video as my teacher",
      "before the guests arrived",
    ],
  },
  {
    does: [
      "Handed in the report",
      "Gave my first talk",
      "Moved to a new desk",
      "Closed the last ticket",
      "Welcomed two new colleagues",
      "Passed the language exam",
      "Presented the prototype",
    ],
    how: [
      "one day early",
      "in front of eighty people",
      "after months of work",
      "with shaking hands",
      "and nobody noticed the typo",
      "right before the holidays",
    ],
  },
  {
    does: [
      "Heard a string quartet",
      "Sang in the old church",
      "Danced",
      "Played the piano in public",
      "Found a street band",
      "Tuned the guitar",
      "Saw a play",
    ],
    how: [
      "in the open air",
      "with strangers",
      "until the last tram",
      "from the front row",
      "on a rainy Tuesday",
      "with my sister",
    ],
  },
  {
    does: [
      "Got lost in the old town",
      "Took the slow train south",
      "Shared a taxi with a violinist",
      "Drank coffee by the harbor",
      "Missed the last ferry",
      "Tried every pastry on the square",
      "Photographed doors",
    ],
    how: [
      "for two whole days",
      "with one small bag",
      "without a map",
      "between two meetings",
      "while it snowed",
      "on the way home",
    ],
  },
];

const closings = [
  "Would do it again.",
  "What a day!",
  "My legs will complain tomorrow.",
  "Who is coming along next time?",
  "Small steps.",
  "Pictures soon.",
  "Worth every minute.",
  "I needed that.",
  "Never again. Probably.",
  "Grateful.",
  "Any tips for next time?",
  "Still smiling.",
  "That's the weekend done.",
] as const;

/** The text of a post; about 4400 different ones exist. */
export function drawPost(source: Random): string {
  const theme = source.pick(themes);
  return `${source.pick(theme.does)} ${source.pick(theme.how)}. ${source.pick(closings)}`;
}
