import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

type Texts = { [key: string]: string | Texts };

const merged = (one: Texts, other: Texts): Texts => {
  const all = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const known = all[key];
    all[key] = typeof known === "object" && typeof value === "object" ? merged(known, value) : value;
  }
  return all;
};

const contract = `/** Reminds the author of a new entry. */
export const remindOfLedger = defineWorkerTask({
  id: "ledgers.remind",
  payload: Type.Object({ id: Type.Integer({ minimum: 1 }), accountId: Type.Integer({ minimum: 1 }) }),
  lane: "prompt",
});

export const ledgerWaits = defineNotification({ id: "ledgers.waits", tone: "info", params: ["title"], channels: ["bell"] });

/** A form as the game server sends it. */
export const SyncForm = Type.Object({ code: gameKey(60), label: Type.String({ maxLength: 100 }) });
export type SyncForm = Static<typeof SyncForm>;

export const syncForms = defineOperation({
  id: "ledgers.sync",
  method: "POST",
  path: "/api/sync/v1/forms",
  summary: "Send forms with their labels",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: { body: batchOf(SyncForm) },
  output: batchResult,
  itemwise: true,
  example: batchExample({ code: "fine", label: "Fine" }),
});

export const syncFormsDelete = defineOperation({
  id: "ledgers.syncDelete",
  method: "POST",
  path: "/api/sync/v1/forms/delete",
  summary: "Report deleted forms",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: { body: Type.Object({ source: batchSource, codes: deletedIds(gameKey(60)) }) },
  output: batchResult,
  example: { body: { codes: ["fine"] }, output: { accepted: 1, unchanged: 0, rejected: [] } },
});

export const ledgersContract = {
  actions: ["ledgers.removeForms"],
  tasks: [remindOfLedger],
  notifications: [ledgerWaits],
  sync: [defineSyncKind({ kind: "forms", manifest: true, key: "code", operations: [syncForms, syncFormsDelete] })],
`;

const table = `"ledgers_forms",
  {
    code: col.key(60),
    label: col.text(100),
    sync_hash: col.key(32).defaultsTo(""),
    updated_at: col.int(),
    deleted_at: col.int().orNull(),
  },
  { primary: ["code"] },
);
`;

const added: Readonly<Record<string, string>> = {
  "ledgers.worker.ts": `import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { remindOfLedger } from "./ledgers.contract.ts";
import type { LedgerReminders } from "./ledgers.reminders.service.ts";

export function ledgersTasks(reminders: LedgerReminders): TaskHandler[] {
  return [applyTask({ task: remindOfLedger, apply: async (tx, { payload }) => await reminders.remind(tx, payload) })];
}
`,
  "ledgers.reminders.service.ts": `import type { TaskPayloadOf } from "#core/contract/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { ledgerWaits, type remindOfLedger } from "./ledgers.contract.ts";
import * as repo from "./ledgers.repo.ts";

export class LedgerReminders {
  readonly #notifications: NotificationsApi;

  constructor(notifications: NotificationsApi) {
    this.#notifications = notifications;
  }

  async remind(tx: Tx, { id, accountId }: TaskPayloadOf<typeof remindOfLedger>): Promise<void> {
    const row = await repo.findRow(tx, id);
    if (row) await this.#notifications.notify(tx, ledgerWaits, { recipients: [{ accountId }], params: { title: row.title } });
  }
}
`,
  "ledgers.sync.ts": `import type { Row } from "#core/db/table.ts";
import { bind, type Binding, type SyncKind } from "#core/feature.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import type { NoLists } from "#features/sync/sync.table.api.ts";
import { SyncForm, syncForms, syncFormsDelete } from "./ledgers.contract.ts";
import { forms } from "./ledgers.schema.ts";

type FormColumns = Pick<Row<typeof forms>, "code" | "label">;

export function ledgersSync(sync: SyncApi): { routes: Binding[]; kinds: SyncKind[] } {
  const table = sync.table<SyncForm, FormColumns, NoLists, never>({
    kind: "forms",
    table: forms,
    key: "code",
    sync: { action: syncForms.id, schema: SyncForm, idOf: ({ code }) => code },
    deletion: { action: syncFormsDelete.id, schema: syncFormsDelete.input.body.properties.codes.items },
    removal: { action: "ledgers.removeForms", kind: "ledgers.forms" },
    storedAs: 1,
    recordOf: ({ code, label }) => ({ columns: { code, label }, lists: {} }),
  });
  return {
    routes: [
      bind(syncForms, async (call, { body }) => await table.sync(call, body)),
      bind(syncFormsDelete, async (call, { body }) => await table.delete(call, body, body.codes)),
    ],
    kinds: [table],
  };
}
`,
  "ledgers.demo.policy.ts": `import type { Demo } from "#core/demo.ts";
import type { SyncForm } from "./ledgers.contract.ts";

export function demoForms({ random }: Pick<Demo, "random">): SyncForm[] {
  return [{ code: "fine", label: \`Fine of \${random.between(1, 9)} dollars\` }];
}
`,
  "ledgers.parts.db.test.ts": `import { expect, test } from "vitest";
import { createRandom } from "#core/random.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { syncStatus } from "#features/sync/sync.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { ledgerWaits, syncForms } from "./ledgers.contract.ts";
import { createAuthor, createEntry } from "./ledgers.testkit.ts";

describeApps("ledgers with every part", (get) => {
  test("a worker task reminds the author", async () => {
    const author = await createAuthor(get(), "reminded");
    await createEntry(get(), author, { title: "Overdue" });
    const reminders = async () => {
      const { output } = await get().app.call(listNotifications, {}, { token: author.token });
      return output.items.filter(({ kind }) => kind === ledgerWaits.id).map(({ params }) => params);
    };
    await expect.poll(reminders, { timeout: 5000 }).toEqual([{ title: "Overdue" }]);
  });

  test("the demo city brings rows of the sync kind", async () => {
    const { app } = get();
    const token = testSecrets.sync;
    const rows = app.process.assembly.registry.demo().find(({ feature }) => feature === "ledgers");
    const sent = await rows?.load({
      city: { startGrade: 0, jobs: [], people: [], crossings: [] },
      random: createRandom(42),
      actor: { kind: "system", name: "test" },
      async send(operation, items) {
        expect(operation).toBe(syncForms.id);
        return (await app.call(syncForms, { body: { items: items as never } }, { token })).output.accepted;
      },
    });
    expect(sent).toBe(1);
    const { output } = await app.call(syncStatus, {}, { token });
    expect(output.kinds).toContainEqual(expect.objectContaining({ kind: "forms", count: 1 }));
  });
});
`,
};

const texts: Readonly<Record<string, Texts>> = {
  en: {
    panel: { kept: { forms: { what: "Deleted forms" } }, objects: { forms: "Forms" } },
    notifications: { waits: { label: "Reminders of new entries", title: "New entry", text: "“{{title}}” waits for you." } },
    actions: { sync: "Forms sent", syncDelete: "Deleted forms reported", removeForms: "Forms removed" },
  },
  de: {
    panel: { kept: { forms: { what: "Gelöschte Formulare" } }, objects: { forms: "Formulare" } },
    notifications: {
      waits: { label: "Erinnerungen an neue Einträge", title: "Neuer Eintrag", text: "„{{title}}“ wartet auf dich." },
    },
    actions: { sync: "Formulare gesendet", syncDelete: "Gelöschte Formulare gemeldet", removeForms: "Formulare entfernt" },
  },
};

const replaced: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  "ledgers.contract.ts": [
    ["  defineOperation,\n", "  defineNotification,\n  defineOperation,\n"],
    ["  defineTopic,\n", "  defineSyncKind,\n  defineTopic,\n  defineWorkerTask,\n"],
    [
      '} from "#core/contract/index.ts";\n',
      '} from "#core/contract/index.ts";\nimport { batchExample, batchOf, batchResult, batchSource, deletedIds, gameKey } from "#features/sync/sync.contract.ts";\n',
    ],
    ["export const ledgersContract = {\n", contract],
    ["putLedger, removeLedger]", "putLedger, removeLedger, syncForms, syncFormsDelete]"],
    ['objects: ["ledgers.entry"]', 'objects: ["ledgers.entry", "ledgers.forms"]'],
  ],
  "ledgers.schema.ts": [
    ["export interface", `/** Forms of the game. */\nexport const forms = defineTable(\n  ${table}\nexport interface`],
  ],
  "ledgers.schedules.ts": [
    ["kept: { ms: days(30) } } },", 'kept: { ms: days(30) } }, forms: { tables: ["ledgers_forms"], kept: { ms: days(30) } } },'],
    ["purgeDeleted: RemoveOld)", "purgeDeleted: RemoveOld, purgeForms: RemoveOld)"],
    ["{ ledgers: purgeDeleted }", "{ ledgers: purgeDeleted, forms: purgeForms }"],
  ],
  "ledgers.repo.ts": [
    ["import { ledgers,", "import { forms, ledgers,"],
    [
      'export const purgeDeleted = pruneOlder(ledgers, "deleted_at");',
      'export const purgeDeleted = pruneOlder(ledgers, "deleted_at");\nexport const purgeForms = pruneOlder(forms, "deleted_at");',
    ],
  ],
  "ledgers.service.ts": [
    ["Outbox, Search, Tx }", "Outbox, Search, Tasks, Tx }"],
    ["ledgersErrors } from", "ledgersErrors, remindOfLedger } from"],
    ["  readonly audit: AuditApi;\n", "  readonly audit: AuditApi;\n  readonly tasks: Tasks;\n"],
    [
      "      return await this.#written(tx, viewer, id);\n",
      "      await this.#deps.tasks.enqueue(tx, remindOfLedger, { payload: { id, accountId: viewer.accountId } });\n      return await this.#written(tx, viewer, id);\n",
    ],
  ],
  "ledgers.feature.ts": [
    [
      'import { ledgersContract } from "./ledgers.contract.ts";\nimport { purgeDeleted }',
      `import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { ledgersContract, syncForms } from "./ledgers.contract.ts";
import { demoForms } from "./ledgers.demo.policy.ts";
import { LedgerReminders } from "./ledgers.reminders.service.ts";
import { ledgersSync } from "./ledgers.sync.ts";
import { ledgersTasks } from "./ledgers.worker.ts";
import { purgeDeleted, purgeForms }`,
    ],
    ["import { ledgers, ledgersList }", "import { forms, ledgers, ledgersList }"],
    ['needs: ["audit"]', 'needs: ["audit", "notifications", "sync"]'],
    ["tables: [ledgers]", "tables: [forms, ledgers]"],
    [
      "    return {\n      routes: ledgersRoutes(service),\n",
      "    const sync = ledgersSync(context.use(syncApi));\n    return {\n      routes: [...ledgersRoutes(service), ...sync.routes],\n      sync: sync.kinds,\n      tasks: ledgersTasks(new LedgerReminders(context.use(notificationsApi))),\n      demo: async (demo) => await demo.send(syncForms.id, demoForms(demo)),\n",
    ],
    ["ledgersRetention(purgeDeleted)", "ledgersRetention(purgeDeleted, purgeForms)"],
  ],
};

/** Throws when there is nothing to replace. */
export function change(file: string, changes: readonly (readonly [string, string])[]): void {
  let text = readFileSync(file, "utf8");
  for (const [from, to] of changes) {
    if (!text.includes(from)) throw new Error(`${file} has no ${JSON.stringify(from)} to replace`);
    text = text.replace(from, to);
  }
  writeFileSync(file, text);
}

/** Writes into a fresh feature `ledgers` what not every feature has; all of it into its own folder and its migration. */
export function addEveryPart(server: string, migration: string): void {
  for (const [file, text] of Object.entries(added)) writeFileSync(path.join(server, file), text);
  for (const [file, changes] of Object.entries(replaced)) change(path.join(server, file), changes);
  for (const [language, more] of Object.entries(texts)) {
    const file = path.join(server, `ledgers.text.${language}.json`);
    const all = merged(JSON.parse(readFileSync(file, "utf8")) as Texts, more);
    writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
  }
  change(migration, [
    ["export default migration", `const forms = defineTable(\n  ${table}\nexport default migration`],
    ["  await steps.createTable(ledgers);\n", "  await steps.createTable(ledgers);\n  await steps.createTable(forms);\n"],
  ]);
}
