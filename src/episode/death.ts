import { diesAgain } from "../pool/dies-again.ts";
import { toolCalls } from "../record/trajectory.ts";
import type { SideSetting } from "./open-side.ts";
import type { Pair } from "./pair.ts";

/**
 * Whether the tested agent's call kills its server, if a server died under one.
 * @returns null if none died, or if the reference lost the same server and nothing can be said
 */
export async function probeDeath(setting: SideSetting, { outputs }: Pair): Promise<boolean | null> {
  const died = toolCalls(outputs.tested.trajectory).find(({ outcome }) => outcome === "broken");
  if (died === undefined || died.server === null || died.tool === null) return null;
  const { server, tool } = died;
  const lost = toolCalls(outputs.reference.trajectory).some(
    (call) => call.outcome === "broken" && call.server === server,
  );
  const config = setting.servers.find(({ name }) => name === server);
  if (lost || config === undefined) return null;
  return diesAgain(
    config,
    {
      servers: setting.servers,
      world: null,
      role: "tested",
      env: setting.env,
      files: setting.prepared.instance.files,
    },
    { tool, args: died.arguments },
  );
}
