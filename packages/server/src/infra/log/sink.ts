import pino from "pino";

/** Where finished lines go; each line ends with a line break. */
export interface Sink {
  write(line: string): void;
  /** Ends background work; later lines are still written. */
  close(): Promise<void>;
}

/** Standard output (1) or error (2), written at once so that nothing is lost at exit. */
export function standardSink(descriptor: 1 | 2): Sink {
  const destination = pino.destination({ dest: descriptor, sync: true });
  // A reader that went away must not end the program.
  destination.on("error", () => undefined);
  return {
    write: (line) => void destination.write(line),
    close: async () => destination.flushSync(),
  };
}
