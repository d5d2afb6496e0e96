export type Level = "debug" | "info" | "warn" | "error";

export interface RotationSettings {
  /** Megabytes (10^6 bytes). */
  readonly maxSize: number;
  /** Most rotated files; 0 means no limit. */
  readonly maxBackups: number;
  /** Days; 0 means no limit. */
  readonly maxAge: number;
  readonly compress: boolean;
  /** Milliseconds; 0 rotates by size only. */
  readonly rotationInterval: number;
}

/** The part of the configuration that concerns logging. */
export interface LogSettings {
  readonly mode: "debug" | "release";
  readonly logLevel: Level;
  readonly log: {
    readonly logToStderr: boolean;
    readonly logToFile: boolean;
    readonly file: { readonly path: string; readonly rotation: RotationSettings };
    readonly levelOverrides: Readonly<Record<string, Level>>;
  };
}
