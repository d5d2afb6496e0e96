import type { Config } from "#config/index.ts";
import type { CallContext, Check, Finding } from "#core/feature.ts";
import type { OptionNote, StartNotes } from "#core/start-notes.ts";
import { forwardedAddress } from "#core/network.ts";
import type { Diagnostics, Outgoing, Storage } from "#core/ports/index.ts";
import { weakSecrets } from "#core/secrets.ts";
import { version } from "#core/version.ts";
import type { SystemApi } from "./system.api.ts";

/** A larger difference between clocks breaks tokens and schedules. Milliseconds. */
const clockTolerance = 5000;

export interface DoctorDeps {
  readonly config: Config;
  readonly notes: StartNotes;
  readonly diagnostics: Diagnostics;
  readonly outgoing: Outgoing;
  readonly storage: Storage;
  /** The checks of the other features. */
  readonly checks: () => readonly Check[];
}

/** The order of findings. */
const severity = { problem: 0, warning: 1, hint: 2, ok: 3 } as const;

type Params = Finding["params"];
const found = (name: string, state: Finding["state"], params: Params = {}): Finding => ({ id: `system.${name}`, state, params });

async function databaseFindings({ diagnostics, config }: DoctorDeps): Promise<Finding[]> {
  const { kind, zone } = config.database.dsn;
  const facts = await diagnostics.database();
  const findings = [found("database", "ok", { kind, version: facts.version, migrations: facts.applied })];
  const { collation, wantedCollation } = facts;
  if (collation !== null && wantedCollation !== null && collation !== wantedCollation)
    findings.push(found("collation", "warning", { collation, wanted: wantedCollation }));
  const { countedZone: counted } = facts;
  if (counted !== null && counted !== zone) findings.push(found("zone", "warning", { counted, zone }));
  findings.push(...facts.refusedColumns.map((line) => found("customColumn", "problem", { line })));
  if (facts.pending.length > 0)
    findings.push(found("migrations", "problem", { count: facts.pending.length, first: facts.pending[0] ?? "" }));
  if (Math.abs(facts.clockAheadMs) > clockTolerance)
    findings.push(found("clock", "warning", { seconds: Math.round(facts.clockAheadMs / 1000) }));
  return findings;
}

async function brokerFindings({ diagnostics }: DoctorDeps): Promise<Finding[]> {
  const { kind, up, reason, installation, heldBy, oldStreams } = await diagnostics.broker();
  const findings = [up ? found("broker", "ok", { kind }) : found("brokerDown", "problem", { kind, reason: reason ?? "" })];
  if (heldBy !== null) findings.push(found("installationHeld", "problem", { id: installation ?? "", heldBy }));
  if (oldStreams.length > 0) findings.push(found("oldStreams", "warning", { streams: oldStreams.join(", ") }));
  return findings;
}

/** Writes, reads and deletes an object in the storage of uploads. */
async function storageFindings({ config: { storage: settings }, storage }: DoctorDeps): Promise<Finding[]> {
  const { endpoint, bucketName } = settings.objectstore;
  const isFolder = settings.type === "filesystem";
  const place = isFolder ? settings.filesystem.path : `${bucketName} (${endpoint})`;
  try {
    await storage.probe();
    return [found("storage", "ok", { place })];
  } catch (error) {
    const reason = (error as Error).message;
    return [found(isFolder ? "storageUnwritable" : "storeUnusable", isFolder ? "warning" : "problem", { place, reason })];
  }
}

/** Requests the public settings by the public URL, as a browser would. */
async function publicUrlFindings({ config, outgoing }: DoctorDeps): Promise<Finding[]> {
  const { publicURL } = config.http;
  const unreachable = (reason: string) => [found("publicUrlUnreachable", "warning", { url: publicURL, reason })];
  try {
    const { status, body } = await outgoing.request({
      url: new URL("/api/system/client", publicURL).href,
      from: "endpoint",
      timeoutMs: 5000,
    });
    if (status !== 200) return unreachable(`HTTP ${status}`);
    const answer = JSON.parse(new TextDecoder().decode(body)) as { version?: unknown };
    if (answer.version !== version) return unreachable(`version ${String(answer.version)}`);
    return [found("publicUrl", "ok", { url: publicURL })];
  } catch (error) {
    return unreachable((error as Error).message);
  }
}

function configurationFindings({ config, notes }: DoctorDeps): Finding[] {
  const { http, sync } = config;
  const { protocol, hostname } = new URL(http.publicURL);
  const local = hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "127.0.0.1";
  const findings: Finding[] = [];
  if (protocol === "http:" && !local) findings.push(found("https", "warning", { url: http.publicURL }));
  if (protocol === "https:" && http.trustedProxies.length === 0)
    findings.push(found("proxies", "warning", { url: http.publicURL }));
  if (!sync.enabled || sync.apiTokens.length === 0) findings.push(found("syncOff", "warning"));
  const weak = weakSecrets(config).map(({ option }) => option);
  if (weak.length > 0) findings.push(found("weakSecrets", "problem", { options: weak.join(", ") }));
  if (notes.notInEffect.length > 0)
    findings.push(found("notInEffect", "hint", { count: notes.notInEffect.length, options: notes.notInEffect.join(", ") }));
  const saidOf = (noted: readonly OptionNote[], fallback: string, state: Finding["state"]) =>
    noted
      .filter(({ code }) => code !== null)
      .map(({ option, what, instead, code, params }) =>
        found(code ?? fallback, state, { option, ...(params ?? { what, instead }) }),
      );
  return [...findings, ...saidOf(notes.warnings, "configuration", "warning"), ...saidOf(notes.hints, "hint", "hint")];
}

/** `reportFailure`: that the check itself fails is a problem. */
async function run(check: Check, all: Finding[], reportFailure: boolean): Promise<void> {
  try {
    all.push(...(await check.run()));
  } catch (error) {
    if (reportFailure) all.push(found("checkFailed", "problem", { check: check.id, reason: (error as Error).message }));
  }
}

/** Examines the whole system. */
export class Doctor implements SystemApi {
  readonly #deps: DoctorDeps;
  readonly #ownChecks: readonly Check[];

  constructor(deps: DoctorDeps) {
    this.#deps = deps;
    this.#ownChecks = [
      { id: "system.database", run: async () => await databaseFindings(deps) },
      { id: "system.broker", run: async () => await brokerFindings(deps) },
      { id: "system.storage", run: async () => await storageFindings(deps) },
      { id: "system.publicUrl", run: async () => await publicUrlFindings(deps) },
      { id: "system.configuration", run: async () => configurationFindings(deps) },
    ];
  }

  async examine(): Promise<{ findings: Finding[] }> {
    const all: Finding[] = [];
    for (const check of this.#ownChecks) await run(check, all, true);
    // While migrations are pending, what a check reads may not be there yet: that it fails says nothing more.
    const migrated = !all.some(({ id }) => id === "system.migrations");
    for (const check of this.#deps.checks()) await run(check, all, migrated);
    return { findings: all.sort((a, b) => severity[a.state] - severity[b.state]) };
  }

  /** How a request of this client arrived. */
  seen(call: CallContext) {
    const header = call.headers["x-forwarded-for"];
    const named = [header ?? []].flat().flatMap((text) => text.split(",").map(forwardedAddress));
    return {
      address: call.address,
      forwarded: named.length > 0,
      ignored: named.length > 0 && !named.includes(call.address),
      publicUrl: this.#deps.config.http.publicURL,
    };
  }
}
