import { createHash } from "node:crypto";
import type { Config } from "#config/index.ts";
import type { StartNotes } from "#core/start-notes.ts";
import { type Clock, type Database, type Health, requiredParts } from "#core/ports/index.ts";
import { version } from "#core/version.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { Settings } from "#features/settings/settings.contract.ts";
import type { TracesApi } from "#features/traces/traces.api.ts";
import type { ClientConfig } from "./system.contract.ts";

export interface SystemDeps {
  readonly config: Config;
  readonly health: Health;
  readonly notes: StartNotes;
  readonly clock: Clock;
  readonly db: Database;
  readonly audit: Pick<AuditApi, "latest">;
  readonly settings: SettingsApi;
  readonly traces: TracesApi;
}

function disabledFields({ user, vehicle }: Config["database"]["custom"]["columns"]): string[] {
  const off: [string, unknown][] = [
    ["citizens.visum", user.visum],
    ["citizens.playtime", user.playtime],
    ["vehicles.model", vehicle.model],
  ];
  return off.filter(([, column]) => column === false).map(([field]) => field);
}

/** Null when the banner is off, empty or expired. */
function bannerOf({ enabled, text, tone, expiresAt }: Settings["banner"], now: number): ClientConfig["banner"] {
  if (!enabled || text === "" || (expiresAt !== null && expiresAt <= now)) return null;
  const id = createHash("sha256").update(`${tone} ${text}`).digest("hex").slice(0, 12);
  return { id, text, tone, expiresAt };
}

/** Describes this instance: for browsers, and for config admins. */
export class SystemService {
  readonly #deps: SystemDeps;

  constructor(deps: SystemDeps) {
    this.#deps = deps;
  }

  /** Falls back to the settings that this process read last, so that it answers without a database too. */
  async client(): Promise<ClientConfig> {
    const { config, clock, settings, traces } = this.#deps;
    const { general, website, display, banner } = await settings.current().catch(() => settings.known());
    return {
      name: general.name,
      version,
      publicUrl: config.http.publicURL,
      mode: config.mode,
      startJobGrade: config.game.startJobGrade,
      disabledFields: disabledFields(config.database.custom.columns),
      zone: config.database.dsn.zone,
      defaultLanguage: general.defaultLanguage,
      locale: display.locale,
      links: { privacyPolicy: website.privacyPolicyUrl, imprint: website.imprintUrl },
      tracing: traces.forBrowsers(),
      banner: bannerOf(banner, clock.now()),
    };
  }

  readiness(): { state: "ok" | "down" } {
    const down = this.#deps.health.parts().some(({ part, state }) => state === "down" && requiredParts.includes(part));
    return { state: down ? "down" : "ok" };
  }

  status() {
    const { notes, health } = this.#deps;
    return {
      version,
      startedAt: notes.startedAt,
      parts: health.parts(),
      warnings: notes.warnings.map(({ line }) => line),
      notInEffect: [...notes.notInEffect],
    };
  }

  async lastBackup(): Promise<{ at: number | null }> {
    const { audit, db } = this.#deps;
    const question = { action: "system.backup", limit: 1 } as const;
    const [newest] = await db.read("system.lastBackup", async (tx) => await audit.latest(tx, question));
    return { at: newest?.at ?? null };
  }
}
