import { describe, expect, it } from "vitest";
import { parseScore } from "./parse-score.ts";

describe("parseScore", () => {
  it.each([
    ['{"reason":"ok","score":4}', 4],
    ["4", 4],
    ["4/5", 4],
    ["**4**", 4],
    ["Four.", 4],
    ["four out of five", 4],
    ["5 out of 5", 5],
    ['"4/5"', 4],
    ['{"score":"4"}', 4],
    ['{"score":"4/5"}', 4],
    ['{"Score":4,"Rationale":"ok"}', 4],
    ["**Score:** 4", 4],
    ["Score: **4**/5", 4],
    ["## Score\n\n4", 4],
    ["| Score | 4 |", 4],
    ["Score (1-5): 4", 4],
    ['Score: "4"', 4],
    ["My rating is three.", 3],
    ["I give it 4/5 because it is right.", 4],
    ["A score of 2 fits.", 2],
    ["It did 3/5 of the steps. Score: 2", 2],
    ["Score: 2. It did 3/5, no more.", 2],
    ["Score: 2 (a score of 5 needs a name)", 2],
    ['The { is odd. {"score": 3}', 3],
    ['First {"score":2}, finally {"score":4}.', 4],
    ['{"reason":"they wrote {score: 5}","score":1}', 1],
  ])("%s is %i", (text, score) => {
    expect(parseScore(text)).toMatchObject({ score });
  });

  it.each([
    ["3/5 of the steps were done", "no-score"],
    ["It is 2/5, or 4/5.", "no-score"],
    ["Between 2 and 4", "no-score"],
    ["I cannot give 5", "refusal"],
    ["Excellent, perfect, best.", "no-score"],
    ["Score: 3-4", "bad-score"],
    ["Score: 3 or 4", "bad-score"],
    ["8/10", "bad-score"],
    ["Score: 80/100", "bad-score"],
    ["Score: 10", "bad-score"],
    ["Score: 4.5", "bad-score"],
    ["Score: 0", "bad-score"],
    ["Score: -1", "bad-score"],
    ['{"score":6}', "bad-score"],
    ['{"score":true}', "bad-score"],
    ['{"score":1,"Score":4}', "bad-score"],
    ["{'score': 4}", "no-score"],
    ['{"score": 1', "no-score"],
    ["true", "no-score"],
    ["[4]", "no-score"],
    ["", "empty"],
    [" \n", "empty"],
  ])("%s is no score: %s", (text, kind) => {
    expect(parseScore(text)).toMatchObject({ kind });
  });

  it("keeps the reason, and of prose all of it", () => {
    expect(parseScore('{"reason":"a sum is wrong","score":2}')).toEqual({ score: 2, reason: "a sum is wrong" });
    expect(parseScore("A sum is wrong.\nScore: 2")).toEqual({ score: 2, reason: "A sum is wrong.\nScore: 2" });
  });

  it("reads a hostile text in linear steps", () => {
    expect(parseScore(`${"{".repeat(20_000)} Score: 3`)).toMatchObject({ score: 3 });
  });
});
