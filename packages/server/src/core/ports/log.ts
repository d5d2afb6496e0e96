/** A logger of one subsystem; its level follows `logLevel` and `log.levelOverrides.<subsystem>`. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface Logs {
  subsystem(name: string): Log;
}
