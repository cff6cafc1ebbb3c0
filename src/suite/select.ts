import { TandemError } from "../base/errors.ts";
import type { LoadedQuery } from "./load.ts";
import { nearestNames } from "./nearest.ts";
import type { SuiteName, Tier } from "./schema.ts";

/** Which queries are wanted; what is left out does not narrow. */
export interface Selection {
  readonly ids?: readonly string[] | undefined;
  readonly suite?: SuiteName | undefined;
  readonly tier?: Tier | undefined;
}

/**
 * The wanted queries, in the order of the suite, each once.
 * @throws TandemError `usage.unknown-query` with the nearest names, or `usage.no-query` if nothing is left
 */
export function selectQueries(queries: readonly LoadedQuery[], wanted: Selection): LoadedQuery[] {
  const names = queries.map(({ query }) => query.id);
  const ids = wanted.ids?.length ? new Set(wanted.ids) : null;
  const unknown = [...(ids ?? [])].filter((id) => !names.includes(id));
  const [first] = unknown;
  if (first !== undefined) {
    const near = nearestNames(first, names, 3);
    const hint = near.length > 0 ? `Did you mean ${near.join(" or ")}?` : "tandem list queries shows all of them.";
    throw new TandemError("usage.unknown-query", `there is no query ${unknown.join(", ")}`, { hint });
  }
  const left = queries.filter(
    ({ query }) =>
      (ids === null || ids.has(query.id)) &&
      (wanted.suite === undefined || query.suite === wanted.suite) &&
      (wanted.tier === undefined || query.tier === wanted.tier),
  );
  if (left.length > 0) return left;
  const words = [ids === null ? "" : [...ids].join(", "), wanted.suite ?? "", wanted.tier ?? ""].filter(Boolean);
  throw new TandemError("usage.no-query", `no query is left${words.length > 0 ? ` for ${words.join(", ")}` : ""}`, {
    hint: "tandem list queries shows all of them with suite and tier.",
  });
}
