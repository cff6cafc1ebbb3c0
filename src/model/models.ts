import { resolve } from "node:path";
import { TandemError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { redactor } from "../base/redact.ts";
import { expandText } from "../config/expand.ts";
import type { Project } from "../config/project.ts";
import { type ModelEntry, modelSchema } from "../config/project-schema.ts";
import type { ChatModel, Embedder } from "./chat.ts";
import type { Connections } from "./connections.ts";
import { createEndpoint, type Endpoint } from "./endpoint.ts";
import type { ModelAccess } from "./openai-chat.ts";
import { responseCache } from "./response-cache.ts";

/** A model that can be asked, with its settings. */
export interface OpenModel extends ChatModel {
  readonly entry: ModelEntry;
  /** The settings as a run records them, without a secret. */
  readonly configuration: JsonObject;
}

/** All models of a process. Models of one endpoint share its limits, and all share the connections. */
export interface Models {
  /**
   * A model by its alias in `tandem.config.yaml`, or by the endpoint's own name of it.
   * @throws TandemError `credentials.missing` if its key is not there, `config.unset-variable`
   */
  chat(name: string): OpenModel;
  /** An embeddings model by alias or name. @throws as {@link chat} */
  embedder(name: string): Embedder;
  /** Keys and header values, for redaction. */
  secrets(): readonly string[];
  close(): Promise<void>;
}

/** Where OpenAI's own endpoint is. */
const OPENAI = "https://api.openai.com/v1";

/** Opens nothing before the first model is asked. */
export function createModels(project: Project, env: Readonly<Record<string, string | undefined>>): Models {
  const endpoints = new Map<string, Endpoint>();
  const secrets = new Set<string>();
  const cache = project.cache === undefined ? null : responseCache(resolve(project.folder, project.cache));
  let opening: Promise<Connections> | null = null;
  const connections = () => {
    opening ??= import("./connections.ts").then(({ openConnections }) => openConnections(env));
    return opening;
  };

  function endpointOf(baseUrl: string): Endpoint {
    let endpoint = endpoints.get(baseUrl);
    if (endpoint === undefined) {
      endpoint = createEndpoint(limitsOf(project, baseUrl, env));
      endpoints.set(baseUrl, endpoint);
    }
    return endpoint;
  }

  function accessOf(name: string): ModelAccess {
    const entry = entryOf(project, name);
    const baseUrl = baseUrlOf(entry, env);
    const key = keyOf(name, entry, baseUrl, env);
    const headers: Record<string, string> = {};
    for (const [header, written] of Object.entries(entry.headers)) {
      const expanded = expandText(
        written,
        { what: "model", server: name, field: `headers.${header}` },
        { env, folder: project.folder, inputs: new Map() },
      );
      headers[header] = expanded.text;
      for (const secret of expanded.secrets) secrets.add(secret);
    }
    if (key !== null) secrets.add(key);
    // The SDK wants a key; an endpoint that wants none overlooks it.
    return {
      name,
      model: entry.model ?? name,
      entry,
      baseUrl,
      key: key ?? "none",
      headers,
      endpoint: endpointOf(baseUrl),
      cache,
    };
  }

  return {
    chat: (name) => {
      const access = accessOf(name);
      return {
        name,
        entry: access.entry,
        configuration: configurationOf(access, [...secrets]),
        complete: async (request, signal = new AbortController().signal) =>
          (await connections()).complete(access, request, signal),
      };
    },
    embedder: (name) => {
      const access = accessOf(name);
      return {
        name: `${access.model}@${access.baseUrl}`,
        embed: async (texts, signal = new AbortController().signal) =>
          (await connections()).embed(access, texts, signal),
      };
    },
    secrets: () => [...secrets],
    close: async () => {
      if (opening !== null) await (await opening).close();
    },
  };
}

function entryOf(project: Project, name: string): ModelEntry {
  return project.models[name] ?? modelSchema.parse({});
}

function baseUrlOf(entry: ModelEntry, env: Readonly<Record<string, string | undefined>>): string {
  const given = entry.endpoint ?? env.OPENAI_BASE_URL;
  return (given === undefined || given === "" ? OPENAI : given).replace(/\/+$/, "");
}

/** The key, or null where none is set and none is asked for. */
function keyOf(
  name: string,
  { keyVariable }: ModelEntry,
  baseUrl: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const variable = keyVariable ?? "OPENAI_API_KEY";
  const key = env[variable]?.trim();
  if (key !== undefined && key !== "") return key;
  if (keyVariable === undefined && baseUrl !== OPENAI) return null;
  throw new TandemError("credentials.missing", `the model ${name} needs a key, and ${variable} is not set`, {
    hint: `Set ${variable}, or name another variable or endpoint in tandem.config.yaml (docs/models.md).`,
    details: { model: name, variable },
  });
}

/** The strictest limits that any model of an endpoint names. */
function limitsOf(
  project: Project,
  baseUrl: string,
  env: Readonly<Record<string, string | undefined>>,
): Parameters<typeof createEndpoint>[0] {
  const entries = Object.values(project.models).filter((entry) => baseUrlOf(entry, env) === baseUrl);
  const least = (key: "requestsPerMinute" | "tokensPerMinute" | "concurrency") => {
    const given = entries.map((entry) => entry[key]).filter((value) => value !== undefined);
    return given.length === 0 ? undefined : Math.min(...given);
  };
  return {
    requestsPerMinute: least("requestsPerMinute"),
    tokensPerMinute: least("tokensPerMinute"),
    concurrency: least("concurrency"),
  };
}

function configurationOf({ model, entry, baseUrl }: ModelAccess, secrets: readonly string[]): JsonObject {
  const { requestsPerMinute, tokensPerMinute, concurrency, timeout, attempts, prices, keyVariable, ...deciding } =
    entry;
  return JSON.parse(redactor(secrets)(JSON.stringify({ ...deciding, model, endpoint: baseUrl })));
}
