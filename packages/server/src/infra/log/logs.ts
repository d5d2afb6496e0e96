import pino from "pino";
import type { Clock } from "#core/ports/clock.ts";
import type { Log, Logs } from "#core/ports/log.ts";
import { cleanFields, masker } from "./fields.ts";
import { fileSink } from "./fileSink.ts";
import { readableLine, terminalLines } from "./readable.ts";
import type { Level, LogSettings } from "./settings.ts";
import { standardSink, type Sink } from "./sink.ts";

export interface LogsOptions {
  readonly clock: Pick<Clock, "now" | "setTimeout">;
  /** Secret texts that are masked wherever they appear. */
  readonly secrets?: readonly string[];
  /** Replaces the outputs of the process. */
  readonly stdout?: Sink;
  readonly stderr?: Sink;
}

export interface ProgramLogs extends Logs {
  /** Stops timers and background compression. */
  close(): Promise<void>;
}

/** Creates the loggers of the program. Throws when the log file cannot be opened. */
export function createLogs(settings: LogSettings, options: LogsOptions): ProgramLogs {
  const sink = chooseSink(settings, options);
  const debug = settings.mode === "debug";
  const format = debug ? readableLine : sink.isTerminal === true ? terminalLines() : (json: string) => json;
  const mask = masker(options.secrets ?? []);
  const root = pino(
    {
      base: null,
      level: "debug",
      timestamp: () => `,"time":"${new Date(options.clock.now()).toISOString()}"`,
      // Errors are described by cleanFields; pino's own serializer would describe them again.
      serializers: { err: (described: unknown) => described },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => cleanFields(fields, { debug }),
      },
    },
    { write: (json: string) => sink.write(mask(format(json))) },
  );
  const loggers = new Map<string, Log>();
  return {
    subsystem(name) {
      const known = loggers.get(name);
      if (known) return known;
      const created = root.child({ subsystem: name }, { level: levelOf(name, settings) });
      loggers.set(name, created);
      return created;
    },
    close: () => sink.close(),
  };
}

/** The level of a subsystem; `documents.approvals` has that of `documents` unless it is set. */
function levelOf(name: string, settings: LogSettings): Level {
  const { levelOverrides } = settings.log;
  for (let key = name; ; key = key.slice(0, key.lastIndexOf("."))) {
    if (Object.hasOwn(levelOverrides, key)) return levelOverrides[key]!;
    if (!key.includes(".")) return settings.logLevel;
  }
}

function chooseSink({ log }: LogSettings, options: LogsOptions): Sink {
  if (log.logToFile) return fileSink(log.file.path, log.file.rotation, options.clock);
  return log.logToStderr ? (options.stderr ?? standardSink(2)) : (options.stdout ?? standardSink(1));
}
