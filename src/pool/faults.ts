import { setTimeout as sleep } from "node:timers/promises";
import { matchesGlobs } from "../base/globs.ts";
import { random } from "../base/random.ts";
import { cutEnd } from "../base/text.ts";
import type { FaultRule } from "../config/server-schema.ts";
import type { Member } from "./member.ts";
import { type Answer, plainAnswer } from "./results.ts";

/** What the faults of a pool are drawn from. Both sides of an episode have the same, so that they meet the same faults. */
export interface FaultDraws {
  readonly seed: number;
  /** Text of a sealed run, or empty. */
  readonly salt: string;
}

/**
 * A member with the faults of its configuration in front of it. Calls are counted by tool; the first rule that hits one
 * counts. The draw of a call depends on seed, server, tool, number of the call and rule alone. The fault's name stands in the
 * answer, so that it is told from what the server did by itself. A call that a fault kept from the server is never sent.
 */
export function withFaults(member: Member, draws: FaultDraws): Member {
  const { config } = member;
  const counts = new Map<string, number>();

  function nextFault(tool: string): FaultRule | undefined {
    const call = (counts.get(tool) ?? 0) + 1;
    counts.set(tool, call);
    return config.faults.find((rule, at) => {
      if (!matchesGlobs(tool, [rule.tool])) return false;
      if (rule.calls !== undefined) return rule.calls.includes(call);
      const draw = random(draws.seed, `faults/${config.name}/${tool}/${call}/${at}`, draws.salt);
      return draw.chance(rule.rate ?? 0);
    });
  }

  /** A tool that says that it writes is never cut: what would cure it, a second call, would do its work twice. */
  async function writes(tool: string): Promise<boolean> {
    const definition = (await member.tools()).find(({ name }) => name === tool);
    return definition?.annotations?.readOnlyHint === false || definition?.annotations?.destructiveHint === true;
  }

  return {
    ...member,
    behindFaults: member,
    async call(tool, args, signal) {
      signal?.throwIfAborted();
      const rule = nextFault(tool);
      switch (rule?.kind) {
        case "transient":
          return failed(rule, `${config.name} is unavailable for the moment. Try again.`);
        case "rate-limit":
          return failed(rule, `Too many requests to ${config.name}. Try again in ${rule.seconds} s.`);
        case "drop":
          return failed(rule, `The connection to ${config.name} was dropped before ${tool} answered. Try again.`);
        case "delay":
          await sleep(rule.seconds * 1000, undefined, signal === undefined ? {} : { signal }).catch(() => {});
          signal?.throwIfAborted();
          return marked(await member.call(tool, args, signal), rule);
        case "cut": {
          const answer = await member.call(tool, args, signal);
          return answer.outcome !== "ok" || (await writes(tool)) ? answer : cut(answer, rule);
        }
        default:
          return member.call(tool, args, signal);
      }
    },
  };
}

function failed(rule: FaultRule, text: string): Answer {
  return plainAnswer("transient", text, rule.kind);
}

/** The server's own answer under a fault that did not change it. A fault of the server's own goes first. */
function marked(answer: Answer, rule: FaultRule): Answer {
  return { ...answer, fault: answer.fault ?? rule.kind };
}

/** The first half of an answer. */
function cut({ text }: Answer, rule: FaultRule): Answer {
  return failed(rule, `${cutEnd(text, Math.floor(text.length / 2))}\n(the answer ended early; try again)`);
}
