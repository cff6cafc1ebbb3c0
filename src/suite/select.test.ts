import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { errorOf } from "../../test/fixtures/suite/suite-files.ts";
import { loadSuite } from "./load.ts";
import { selectQueries } from "./select.ts";

const fixtures = fileURLToPath(new URL("../../test/fixtures/suite/", import.meta.url));
const { queries } = loadSuite({ queriesDir: join(fixtures, "queries"), plansDir: join(fixtures, "plans") });

describe("selectQueries", () => {
  it("takes all, or those of an id, a suite, a tier", () => {
    for (const wanted of [{}, { ids: [] }, { ids: ["count-unread"] }, { suite: "sandbox", tier: "easy" } as const]) {
      expect(selectQueries(queries, wanted).map(({ query }) => query.id)).toEqual(["count-unread"]);
    }
  });

  it("knows what is not there, and what is near", () => {
    const { code, error } = errorOf("", () => selectQueries(queries, { ids: ["count-unraed"] }));
    expect(code).toBe("usage.unknown-query");
    expect(error.hint).toBe("Did you mean count-unread?");
  });

  it("does not run nothing", () => {
    expect(errorOf("", () => selectQueries(queries, { suite: "live" })).code).toBe("usage.no-query");
    expect(errorOf("", () => selectQueries(queries, { tier: "hard" })).code).toBe("usage.no-query");
  });
});
