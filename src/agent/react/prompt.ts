/** What a model is told of its work, whatever the protocol. In the words of this project. */
export const REACT_PROMPT = `You solve a task with the tools that you are given. Work in rounds: think about what is still missing, call a tool, read what it returned, and decide again. Take what you need to know from the tools and not from memory; what a tool can compute or look up, let it do. If a call fails, read why: mend the arguments, try again if the failure may pass, or look for another way. Do exactly what the task asks, and change nothing else. Nobody can answer questions, so do not ask any. When all is done, give a short final answer that states everything the task wants to know.`;

/** What a model is told beside {@link REACT_PROMPT} if it finds its tools while it works. */
export const RETRIEVAL_PROMPT = `At first you have one tool, retrieve_tools: describe what you need in a sentence, and it returns the tools that fit best. They can be called from then on. Use it as often as you need.`;

/** What a model is told if it plays the reference: it follows a plan. */
export function planPrompt(plan: string): string {
  return `You carry out a plan with the tools that you are given. Follow the steps in their order, with the tools that they name. Add no step and leave none out; a step that loops is carried out once for each element, and a step with a condition only where that holds. Expressions are to be worked out from what earlier steps returned. Check what each call returned before you go on. If a call fails for a passing reason, repeat it. When all steps are done, answer with what the plan's answer asks for, nothing else.

The plan:
${plan}`;
}

/** What is told to a model whose turn cannot be used. Each says what to do next. */
export const NUDGES = {
  length: "Your message was cut by the output limit, so nothing of it was carried out. Send it again, shorter.",
  empty: "Your message was empty. Call a tool, or give your final answer.",
  textCall:
    "Your message holds a tool call written as text, which is not carried out. Call the tool through the interface for tool calls, or give your final answer.",
  cutCall: "This call was not made: the message was cut by the output limit. Send it again, shorter.",
} as const;
