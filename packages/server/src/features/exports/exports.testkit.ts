import { Type } from "typebox";
import type { Config } from "#config/index.ts";
import { access } from "#core/contract/index.ts";
import { defineFeature } from "#core/feature.ts";
import { exportKind, type ExportKind } from "#core/ports/index.ts";
import { auditPermissions } from "#features/audit/audit.contract.ts";
import type { AppUnderTest } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { downloadExport, type Export, listExports, requestExport } from "./exports.contract.ts";

type TrialFilter = { rows: number; gate?: string };

/** A list of numbers, as long as its filter says, whose pages tests see and stop. */
export class TrialExports {
  readonly limits: number[] = [];
  scope = "all";
  readonly #gates = new Map<string, PromiseWithResolvers<void>>();
  readonly #reached = new Map<string, number>();

  readonly feature = defineFeature<Config>({
    name: "trialexports",
    about: "",
    needs: [],
    contract: {},
    tables: [],
    create: () => ({
      exports: [
        this.#kind("audit.trial", { mostRows: 100_000 }),
        this.#kind("audit.short", { mostRows: 900 }),
        this.#kind("audit.small", { mostRows: 900, mostBytes: 5000 }),
      ],
    }),
  });

  /** The second page of exports with this gate waits for `open`. */
  close(gate: string): void {
    this.#gates.set(gate, Promise.withResolvers());
    this.#reached.set(gate, 0);
  }

  open(gate: string): void {
    this.#gates.get(gate)?.resolve();
    this.#gates.delete(gate);
  }

  /** How often a second page was asked for. */
  reached(gate: string): number {
    return this.#reached.get(gate) ?? 0;
  }

  #kind(id: string, limits: Pick<ExportKind, "mostRows" | "mostBytes">): ExportKind {
    return exportKind<TrialFilter, number>({
      id,
      ...limits,
      access: [access.permissionOrConfigAdmin(auditPermissions.view)],
      filter: Type.Object({ rows: Type.Integer({ minimum: 0 }), gate: Type.Optional(Type.String()) }),
      page: "/panel/audit",
      columns: [
        { id: "n", value: (n) => n },
        { id: "at", type: "instant", value: () => 0 },
        { id: "text", value: (n) => `=${n}` },
      ],
      scopeOf: () => this.scope,
      count: async (_tx, { filter }) => (filter.gate === "uncounted" ? null : filter.rows),
      read: async (_tx, { filter: { rows, gate } }, after, limit) => {
        this.limits.push(limit);
        const from = Number(after ?? 0);
        if (gate !== undefined && after !== null) {
          const waiting = this.#gates.get(gate)?.promise;
          if (from === limit) this.#reached.set(gate, this.reached(gate) + 1);
          await waiting;
        }
        const to = Math.min(from + limit, rows);
        return { rows: Array.from({ length: to - from }, (_none, at) => from + at + 1), next: to < rows ? String(to) : null };
      },
    });
  }
}

/** What one person does with exports. */
export class Exporter {
  readonly #app: AppUnderTest["app"];
  readonly actor: TestActor;

  constructor({ app }: AppUnderTest, actor: TestActor) {
    this.#app = app;
    this.actor = actor;
  }

  async request(kind: string, filter: Record<string, unknown>, language: "en" | "de" = "en") {
    const body = { kind, filter, characterId: this.actor.characterId, language };
    return await this.#app.call(requestExport, { body }, { cookie: this.actor.cookie });
  }

  async list(): Promise<Export[]> {
    return (await this.#app.call(listExports, {}, { cookie: this.actor.cookie })).output.items;
  }

  async find(id: number): Promise<Export | undefined> {
    return (await this.list()).find((one) => one.id === id);
  }

  async download(id: number) {
    return await this.#app.call(downloadExport, { params: { id } }, { cookie: this.actor.cookie });
  }
}
