import { join } from "node:path";
import { onTestFinished } from "vitest";
import { stringify } from "yaml";
import { writeFiles } from "../run-tandem.ts";
import { type ModelServer, type ModelServerOptions, type Script, startModelServer } from "./model-server.ts";

/** A server that ends with the test. */
export async function useModelServer(script: Script, options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer(script, options);
  onTestFinished(() => server.close());
  return server;
}

/** Adds a `tandem.config.yaml` to a folder, in which the model `scripted` is behind a server. */
export function configureModel(folder: string, { url }: ModelServer, entry: object = {}, rest: object = {}): string {
  writeFiles(folder, {
    "tandem.config.yaml": stringify({ models: { scripted: { endpoint: url, ...entry } }, ...rest }),
  });
  return join(folder, "tandem.config.yaml");
}
