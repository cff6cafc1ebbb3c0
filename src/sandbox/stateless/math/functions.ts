import { z } from "zod";
import { refuse } from "../../define.ts";
import { finite, ofNumber, type StatelessTool, tool } from "./number.ts";

/** Logarithm, exponential, trigonometric and hyperbolic functions, and angles. */
export const functionTools: readonly StatelessTool[] = [
  tool({
    name: "log",
    text: "Logarithm of x to a base; the natural logarithm if no base is given. Fails if x is 0 or negative.",
    input: {
      x: z.number().describe("a number above 0"),
      base: z.number().optional().describe("a number above 0 other than 1; e if left out"),
    },
    output: z.number(),
    run: (_, { x, base }) => {
      if (x <= 0) refuse(`the logarithm needs a number above 0, not ${x}`);
      if (base === undefined) return finite(Math.log(x));
      if (base <= 0 || base === 1) refuse(`the base of a logarithm is above 0 and not 1, so not ${base}`);
      return finite(logarithm(x, base));
    },
  }),
  ofNumber("exp", "Exponential function: e raised to x.", "the exponent", Math.exp),
  ofNumber("sin", "Sine of an angle in radians.", "an angle in radians", Math.sin),
  ofNumber("cos", "Cosine of an angle in radians.", "an angle in radians", Math.cos),
  ofNumber("tan", "Tangent of an angle in radians.", "an angle in radians", Math.tan),
  ofNumber("asin", "Arc sine in radians. Fails outside of -1 to 1.", "a number from -1 to 1", (x) =>
    Math.asin(sineValue(x)),
  ),
  ofNumber("acos", "Arc cosine in radians. Fails outside of -1 to 1.", "a number from -1 to 1", (x) =>
    Math.acos(sineValue(x)),
  ),
  ofNumber("atan", "Arc tangent in radians.", "any number", Math.atan),
  ofNumber("sinh", "Hyperbolic sine.", "any number", Math.sinh),
  ofNumber("cosh", "Hyperbolic cosine.", "any number", Math.cosh),
  ofNumber("tanh", "Hyperbolic tangent.", "any number", Math.tanh),
  tool({
    name: "deg_to_rad",
    text: "Converts an angle from degrees to radians.",
    input: { degrees: z.number().describe("an angle in degrees") },
    output: z.number(),
    run: (_, { degrees }) => finite((degrees / 180) * Math.PI),
  }),
  tool({
    name: "rad_to_deg",
    text: "Converts an angle from radians to degrees.",
    input: { radians: z.number().describe("an angle in radians") },
    output: z.number(),
    run: (_, { radians }) => finite((radians / Math.PI) * 180),
  }),
];

/** log x / log base, except that a whole exponent which gives `x` back is returned as it is: log(125, 5) is 3. */
function logarithm(x: number, base: number): number {
  const quotient = Math.log(x) / Math.log(base);
  const nearest = Math.round(quotient);
  return base ** nearest === x ? nearest : quotient;
}

function sineValue(x: number): number {
  return x < -1 || x > 1 ? refuse(`only numbers from -1 to 1 have an arc sine or arc cosine, not ${x}`) : x;
}
