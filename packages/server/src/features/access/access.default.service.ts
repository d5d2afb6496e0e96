import type { OutputOf } from "#core/contract/index.ts";
import type { CallContext } from "#core/feature.ts";
import { AppError } from "#core/errors.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import { accessErrors, type defaultHistory, type getDefaultRole, type RoleGrants } from "./access.contract.ts";
import { knownGrants } from "./access.editing.policy.ts";
import { grantsOf, outputOfGrants } from "./access.output.policy.ts";
import { defaultJob, type Grants, type RoleName } from "./access.policy.ts";
import type { StoredRole } from "./access.repo.ts";
import { valuesOfChanges, valuesOfGrants } from "./access.rows.policy.ts";
import type { AttributeRows } from "./access.rows.service.ts";
import type { AccessService } from "./access.service.ts";

export interface DefaultRoleDeps {
  readonly db: Database;
  readonly access: AccessService;
  readonly rows: AttributeRows;
  readonly startJobGrade: number;
}

type DefaultRole = OutputOf<typeof getDefaultRole>;

/** Changes the role that everyone inherits. The request guard requires a config admin. */
export class DefaultRoleService {
  readonly #db: Database;
  readonly #access: AccessService;
  readonly #rows: AttributeRows;
  readonly #name: RoleName;

  constructor({ db, access, rows, startJobGrade }: DefaultRoleDeps) {
    this.#db = db;
    this.#access = access;
    this.#rows = rows;
    this.#name = { job: defaultJob, grade: startJobGrade };
  }

  async get(): Promise<DefaultRole> {
    return await this.#db.read("access.getDefault", async (tx) => await this.#read(tx));
  }

  async put(call: CallContext, { version, grants }: { version: number; grants: RoleGrants }): Promise<DefaultRole> {
    this.#access.check(Object.entries(grants).map(([permission, { attributes }]) => [permission, attributes]));
    return await this.#change(call, "access.putDefault", async (tx, role) => {
      if ((role?.version ?? 0) !== version) throw new AppError(accessErrors.stale, { extra: { current: await this.#read(tx) } });
      return grantsOf(grants);
    });
  }

  async history(): Promise<OutputOf<typeof defaultHistory>> {
    return await this.#db.read("access.defaultHistory", async (tx) => {
      const revisions = await this.#access.store.revisions(tx, this.#name);
      return { revisions, labels: await this.#rows.labels(tx, valuesOfChanges(revisions)) };
    });
  }

  async undo(call: CallContext, version: number): Promise<DefaultRole> {
    return await this.#change(
      call,
      "access.undoDefault",
      async (tx, role) => await this.#access.store.grantsWithout(tx, this.#name, role, version),
    );
  }

  async #change(
    call: CallContext,
    action: string,
    work: (tx: Tx, role: StoredRole | null) => Promise<Grants | null>,
  ): Promise<DefaultRole> {
    return await this.#db.write(action, async (tx) => {
      const role = await this.#access.store.lock(tx, this.#name.job, this.#name.grade);
      const after: Grants = (await work(tx, role)) ?? new Map();
      await this.#rows.check(tx, valuesOfGrants(role?.grants), valuesOfGrants(after));
      await this.#access.store.put(tx, call.actor, { action, ...this.#name, role, after });
      return await this.#read(tx);
    });
  }

  async #read(tx: Tx): Promise<DefaultRole> {
    const { permissions, roles } = await this.#access.rulesIn(tx);
    const role = roles.find(({ job }) => job === defaultJob);
    const grants = knownGrants(permissions, role?.grants ?? new Map());
    const labels = await this.#rows.labels(tx, valuesOfGrants(grants));
    return { version: role?.version ?? 0, grants: outputOfGrants(grants), labels };
  }
}
