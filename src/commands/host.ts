/** A stream that text is written to. */
export interface TextStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** What a command gets of the world outside, so that a test can run the whole program in its own process. */
export interface Host {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Results. With `--json` one document, nothing else. */
  readonly stdout: TextStream;
  /** Text for people. */
  readonly stderr: TextStream;
  now(): Date;
  /**
   * Calls `handler` at each Ctrl-C with its number, from 1. The returned function ends that.
   */
  onInterrupt(handler: (count: number) => void): () => void;
  /** Ends the process at once, for the second Ctrl-C. */
  exit(code: number): void;
}
