import { bind, type Binding, type SyncKind } from "#core/feature.ts";
import type { Outbox } from "#core/ports/index.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import type { RemovedRow } from "#features/sync/sync.table.api.ts";
import type { CitizenChanges } from "./citizens.changes.service.ts";
import {
  type CitizenChange,
  type CitizenPart,
  citizensChanged,
  SyncUser,
  syncUsers,
  syncUsersDelete,
} from "./citizens.contract.ts";
import {
  type CitizenColumns,
  type CitizenLists,
  type MeantUser,
  meantUser,
  nameKey,
  newlyOffDuty,
  problemOfBirth,
  recordOf,
  textsOf,
} from "./citizens.record.policy.ts";
import { citizensSearchKind } from "./citizens.reads.ts";
import { citizens, citizensJobs, citizensLicences, citizensPhones } from "./citizens.schema.ts";

export interface CitizensSyncDeps {
  readonly outbox: Outbox;
  readonly sync: SyncApi;
  readonly jobs: Pick<JobsApi, "meanings">;
  readonly changes: CitizenChanges;
}

interface Change {
  readonly item: CitizenChange;
  /** Null for a new citizen. */
  readonly changed: readonly CitizenPart[] | null;
  readonly offDuty: readonly string[];
}

function removalOf({ id, version }: RemovedRow, at: number): Change {
  const item = {
    id,
    version,
    firstName: "",
    lastName: "",
    dateOfBirth: null,
    sex: null,
    height: null,
    updatedAt: at,
    hidden: [],
    deleted: true,
  };
  return { item, changed: ["deleted_at"], offDuty: [] };
}

function payloadOf(changes: readonly Change[]) {
  const changed = changes.flatMap(({ item: { id }, changed: parts }) => (parts === null ? [] : [{ id, parts: [...parts] }]));
  const offDuty = changes.flatMap(({ item: { id }, offDuty: jobs }) => (jobs.length === 0 ? [] : [{ id, jobs: [...jobs] }]));
  return { items: changes.map(({ item }) => item), changed, ...(offDuty.length > 0 && { offDuty }) };
}

export function citizensSync({ outbox, sync, jobs, changes }: CitizensSyncDeps): { routes: Binding[]; kinds: SyncKind[] } {
  const table = sync.table<MeantUser, CitizenColumns, CitizenLists, Change>({
    kind: "users",
    table: citizens,
    key: "identifier",
    sync: {
      action: syncUsers.id,
      schema: SyncUser,
      idOf: (user) => user.identifier,
      problemOf({ dateOfBirth }) {
        const problem = problemOfBirth(dateOfBirth);
        return problem === null ? null : { field: "dateOfBirth", problem };
      },
    },
    deletion: { action: syncUsersDelete.id, schema: syncUsersDelete.input.body.properties.identifiers.items },
    removal: { action: "citizens.remove", kind: "citizens" },
    storedAs: 1,
    async meantBy(tx) {
      const meanings = await jobs.meanings(tx);
      return (user) => meantUser(user, meanings);
    },
    recordOf,
    children: {
      jobs: { table: citizensJobs, owner: "citizen_id" },
      phones: { table: citizensPhones, owner: "citizen_id" },
      licences: { table: citizensLicences, owner: "citizen_id" },
    },
    derivedOf: ({ columns }) => ({ name_key: nameKey(columns.first_name, columns.last_name) }),
    search: { kind: citizensSearchKind, textsOf: ({ columns, lists }) => textsOf(columns, lists) },
    event: {
      compares: { list: "jobs", of: ({ lists }) => lists.jobs.some(({ off_duty }) => off_duty === 1) },
      async changesOf(tx, rows, at) {
        await changes.keepMoves(tx, rows, at);
        const items = await changes.of(tx, rows, at);
        return rows.map(({ changed, listBefore, lists }, i) => {
          return { item: items[i]!, changed, offDuty: newlyOffDuty(listBefore as CitizenLists["jobs"] | null, lists) };
        });
      },
      removalOf,
      emit: async (tx, all, at) =>
        await outbox.emit(tx, citizensChanged, { key: "citizens", version: at, payload: payloadOf(all) }),
    },
  });
  return {
    routes: [
      bind(syncUsers, async (call, { body }) => await table.sync(call, body)),
      bind(syncUsersDelete, async (call, { body }) => await table.delete(call, body, body.identifiers)),
    ],
    kinds: [table],
  };
}
