import { isatty } from "node:tty";
import pino from "pino";

/** An output for formatted lines; each line ends with a line break. */
export interface Sink {
  /** Somebody sits in front of it. */
  readonly isTerminal?: boolean;
  write(line: string): void;
  /** Stops what still runs; later lines are still written. */
  close(): Promise<void>;
}

/** Standard output (1) or error (2), written synchronously so that nothing is lost at exit. */
export function standardSink(descriptor: 1 | 2): Sink {
  const destination = pino.destination({ dest: descriptor, sync: true });
  // A closed pipe must not end the process.
  destination.on("error", () => undefined);
  return {
    isTerminal: isatty(descriptor),
    write: (line) => void destination.write(line),
    close: async () => destination.flushSync(),
  };
}
