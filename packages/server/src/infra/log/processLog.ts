import type { Log } from "#core/ports/log.ts";

/** The part of `process` that is used here. */
export interface ProcessEvents {
  on(event: string, listener: (...args: never[]) => void): unknown;
  removeListener(event: string, listener: (...args: never[]) => void): unknown;
  removeAllListeners(event: string): unknown;
  exit(code: number): void;
}

export interface ProcessLogOptions {
  readonly log: Log;
  /** Whether the log goes to a file, where operators would not look for the reason of a refused start. */
  readonly logToFile: boolean;
  readonly stderr?: (text: string) => void;
  readonly process?: ProcessEvents;
}

export interface ProcessLog {
  /** Logs in one line why the process ends; with logToFile also to standard error. The caller ends the process. */
  fatal(message: string, fields?: object): void;
  /** Removes the listeners from the process. */
  uninstall(): void;
}

/**
 * Replaces Node's own output: warnings go to the log, and an uncaught error is logged before the process
 * ends with code 1.
 */
export function installProcessLog(options: ProcessLogOptions): ProcessLog {
  const { log, logToFile, stderr = (text) => void process.stderr.write(text) } = options;
  const events: ProcessEvents = options.process ?? (process as unknown as ProcessEvents);
  const fatal = (message: string, fields: object = {}) => {
    log.error(fields, message);
    if (logToFile) stderr(`rollcall: ${message.replace(/\s+/g, " ")}\n`);
  };
  const onWarning = (warning: Error) => log.warn({ err: warning }, warning.message);
  const onUncaught = (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    fatal(`unexpected error, the process ends: ${message}`, { err: error });
    events.exit(1);
  };
  events.removeAllListeners("warning");
  events.on("warning", onWarning);
  events.on("uncaughtException", onUncaught);
  events.on("unhandledRejection", onUncaught);
  return {
    fatal,
    uninstall() {
      events.removeListener("warning", onWarning);
      events.removeListener("uncaughtException", onUncaught);
      events.removeListener("unhandledRejection", onUncaught);
    },
  };
}
