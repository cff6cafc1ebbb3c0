import { readFileSync } from "node:fs";
import { parse } from "dotenv";
import { errorMessage, TandemError } from "../base/errors.ts";

/**
 * The variables of a file in `.env` form: comments, `export`, quotes, and lines that end as on any system.
 * @throws TandemError `config.no-env-file`, which names the file and the server
 */
export function readEnvFile(file: string, server: string): Readonly<Record<string, string>> {
  try {
    return parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  } catch (thrown) {
    throw new TandemError(
      "config.no-env-file",
      `server ${server}, field envFile: cannot read ${file}: ${errorMessage(thrown)}`,
      {
        hint: "Give the file's path from the folder of the configuration, or leave envFile out.",
        details: { server, field: "envFile", file },
      },
    );
  }
}
