import { redactor } from "../base/redact.ts";
import type { ServerConfig } from "./server-config.ts";
import type { FaultRule, StateProbe } from "./server-schema.ts";

/**
 * What an entry was read as, by field and in words: paths and variables filled in, secrets hidden. Fields that do not matter
 * for the server are left out.
 */
export function explainServer(config: ServerConfig): Readonly<Record<string, string>> {
  const hide = redactor(config.secrets);
  const fields: Record<string, string> = {
    ...transportFields(config),
    isolation: config.isolation,
    tools: config.tools === null ? "all" : config.tools.join(", ") || "none",
    "disabled tools": config.disabledTools.join(", "),
    state: config.type === "sandbox" ? "its own" : stateText(config.state),
    faults: config.faults.map(faultText).join("; "),
    timeout: `${config.timeoutMs / 1000} s a call, ${config.startTimeoutMs / 1000} s to start`,
    reset: config.reset === null ? "" : [config.reset.command, ...config.reset.args].join(" "),
    "if it is down": config.disabled ? "it is disabled" : config.optional ? "runs go on without it" : "runs stop",
  };
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, text]) => (text === "" ? [] : [[field, hide(text)]])),
  );
}

function transportFields(config: ServerConfig): Record<string, string> {
  switch (config.type) {
    case "sandbox":
      return { transport: "in this process" };
    case "stdio":
      return {
        transport: "stdio",
        command: [config.command, ...config.args].join(" "),
        folder: config.cwd ?? "${workdir}",
        variables: Object.keys(config.env).join(", "),
      };
    default:
      return {
        transport: config.guessed ? "Streamable HTTP, else SSE" : config.type === "sse" ? "SSE" : "Streamable HTTP",
        url: config.url,
        headers: Object.keys(config.headers).join(", "),
      };
  }
}

function stateText(state: StateProbe | null): string {
  if (state === null) return "not scored";
  switch (state.probe) {
    case "files":
      return `files below ${state.root}`;
    case "calls":
      return `what ${Object.values(state.calls)
        .map(({ tool }) => tool)
        .join(", ")} answer`;
    default:
      return `${state.probe} in ${state.file}`;
  }
}

function faultText({ kind, tool, calls, rate }: FaultRule): string {
  const when = calls === undefined ? `${(rate ?? 0) * 100} % of calls` : `call ${calls.join(", ")}`;
  return `${kind} at ${when} of ${tool}`;
}
