/** A product that shops sell in several kinds and packs. */
export interface Product {
  readonly product: string;
  /** Kinds, put before the product's name; the empty text is the plain product. */
  readonly kinds: readonly string[];
  /** Packs as they stand in the item's name, each with the factor that it costs. */
  readonly packs: Readonly<Record<string, number>>;
  /** Price of the first kind in a pack of factor 1. */
  readonly price: number;
  /** What the item's description says. */
  readonly about: string;
}

/** What one kind of shop is called and sells. */
export interface Category {
  readonly name: string;
  readonly shops: readonly string[];
  readonly products: readonly Product[];
}

/** An item as shops may have it. */
export interface Good {
  readonly name: string;
  readonly price: number;
  readonly description: string;
}

/** A kind costs up to this much more or less than the first one, in steps that its place gives. */
const KIND_STEPS = [1, 1.18, 0.9, 1.32, 0.84, 1.07] as const;

/** All items of a category: every kind in every pack. */
export function goodsOf({ products }: Category): Good[] {
  return products.flatMap(({ product, kinds, packs, price, about }) =>
    kinds.flatMap((kind, at) =>
      Object.entries(packs).map(([pack, factor]) => ({
        name: `${kind === "" ? product : `${kind} ${product}`}${pack === "" ? "" : ` (${pack})`}`,
        price: price * factor * (KIND_STEPS[at % KIND_STEPS.length] ?? 1),
        description: about,
      })),
    ),
  );
}
