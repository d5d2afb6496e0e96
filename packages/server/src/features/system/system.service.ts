import { readFile, stat } from "node:fs/promises";
import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { Config } from "#config/index.ts";
import { AppError } from "#core/errors.ts";
import type { StartNotes } from "#core/feature.ts";
import type { Health } from "#core/ports/index.ts";
import { version } from "#core/version.ts";
import { type ClientConfig, Postal, systemErrors } from "./system.contract.ts";

export interface SystemDeps {
  readonly config: Config;
  readonly health: Health;
  readonly notes: StartNotes;
}

interface PostalCode {
  readonly code: string;
  readonly x: number;
  readonly y: number;
}

const postalsShape = Compile(Type.Array(Postal));

function disabledFields({ user, vehicle }: Config["database"]["custom"]["columns"]): string[] {
  const off: [string, unknown][] = [
    ["citizens.visum", user.visum],
    ["citizens.playtime", user.playtime],
    ["vehicles.model", vehicle.model],
  ];
  return off.filter(([, column]) => column === false).map(([field]) => field);
}

export function createSystemService({ config, health, notes }: SystemDeps) {
  let postals: { readonly mtimeMs: number; readonly list: PostalCode[] } | null = null;

  /** Reads the file again when it changed; a broken one is reported and the last good list kept. */
  async function readPostals(): Promise<PostalCode[] | null> {
    try {
      const { mtimeMs } = await stat(config.postalsFile);
      if (postals?.mtimeMs === mtimeMs) return postals.list;
      const parsed: unknown = JSON.parse(await readFile(config.postalsFile, "utf8"));
      if (!postalsShape.Check(parsed)) throw new Error("it is not a list of {code, x, y}");
      postals = { mtimeMs, list: parsed };
      health.report("postals", "ok", null);
      return postals.list;
    } catch (error) {
      health.report("postals", "degraded", `postalsFile ${config.postalsFile}: ${(error as Error).message}`);
      return postals?.list ?? null;
    }
  }

  return {
    client(): ClientConfig {
      return {
        name: "Rollcall",
        version,
        publicUrl: config.http.publicURL,
        mode: config.mode,
        startJobGrade: config.game.startJobGrade,
        disabledFields: disabledFields(config.database.custom.columns),
        zone: config.database.dsn.zone,
      };
    },
    status: () => ({
      version,
      startedAt: notes.startedAt,
      parts: health.parts(),
      warnings: [...notes.warnings],
      notInEffect: [...notes.notInEffect],
    }),
    async postals(): Promise<{ postals: PostalCode[] }> {
      const list = await readPostals();
      if (list === null) throw new AppError(systemErrors.postalsMissing);
      return { postals: list };
    },
    async start(): Promise<void> {
      await readPostals();
    },
  };
}

export type SystemService = ReturnType<typeof createSystemService>;
