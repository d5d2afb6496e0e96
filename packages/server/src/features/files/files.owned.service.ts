import type { AccountActor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import type { FileKind, OwnedFiles } from "./files.api.ts";
import { filesErrors, type UploadedFile } from "./files.contract.ts";
import { attachability, ownerless } from "./files.policy.ts";
import * as repo from "./files.repo.ts";
import type { FilesService } from "./files.service.ts";

export interface OwnedDeps {
  readonly clock: Clock;
  readonly files: FilesService;
}

/** The files of one kind, as its feature attaches and releases them. */
export class FilesOfKind implements OwnedFiles {
  readonly #kind: FileKind;
  readonly #deps: OwnedDeps;

  constructor(kind: FileKind, deps: OwnedDeps) {
    this.#kind = kind;
    this.#deps = deps;
  }

  async attach(tx: Tx, viewer: Viewer, owner: string, ids: readonly number[]): Promise<void> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return;
    const found = await repo.findMany(tx, wanted);
    if (found.length < wanted.length || !(await this.#mayAttach(tx, viewer, owner, found)))
      throw new AppError(filesErrors.notFound);
    await this.#add(tx, owner, wanted);
    const adopted = found.filter((file) => file.owner === ownerless).map(({ id }) => id);
    if (adopted.length > 0) await repo.setOwner(tx, adopted, owner);
  }

  async copy(tx: Tx, viewer: Viewer, from: string, to: string, ids?: readonly number[]): Promise<readonly number[]> {
    const { kind } = this.#kind;
    if (!(await this.#kind.mayView(tx, viewer, [from])).has(from)) throw new AppError(filesErrors.notFound);
    const attached = (await repo.referencesOf(tx, kind, [from])).map(({ file_id }) => file_id);
    const copied = ids === undefined ? attached : attached.filter((id) => ids.includes(id));
    if (ids !== undefined && copied.length < new Set(ids).size) throw new AppError(filesErrors.notFound);
    if (copied.length === 0) return [];
    // Locked, so that none is deleted before this unit of work refers to it.
    const found = new Set((await repo.findMany(tx, copied)).map(({ id }) => id));
    const present = copied.filter((id) => found.has(id));
    await this.#add(tx, to, present);
    return present;
  }

  async release(tx: Tx, owners: readonly string[], ids?: readonly number[]): Promise<void> {
    const all = await repo.referencesOf(tx, this.#kind.kind, owners);
    const released = all.filter(({ file_id }) => ids === undefined || ids.includes(file_id));
    await repo.removeReferences(tx, released, this.#deps.clock.now());
  }

  async of(tx: Tx, owners: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const found = new Map<string, number[]>();
    for (const { owner, file_id } of await repo.referencesOf(tx, this.#kind.kind, owners))
      found.set(owner, [...(found.get(owner) ?? []), file_id]);
    return found;
  }

  async shown(
    tx: Tx,
    account: Pick<AccountActor, "sessionId">,
    owners: readonly string[],
  ): Promise<ReadonlyMap<string, readonly UploadedFile[]>> {
    const attached = await this.of(tx, owners);
    const rows = await repo.list(tx, [...attached.values()].flat());
    const byId = new Map(rows.map((row) => [row.id, this.#deps.files.shown(account, row)]));
    return new Map([...attached].map(([owner, ids]) => [owner, ids.flatMap((id) => byId.get(id) ?? [])]));
  }

  /** Whether this viewer, who changes this owner, may attach all of these files. */
  async #mayAttach(tx: Tx, viewer: Viewer, owner: string, found: readonly repo.FileRecord[]): Promise<boolean> {
    const references = await repo.referencesTo(
      tx,
      found.map(({ id }) => id),
    );
    const about = { kind: this.#kind, owner, accountId: viewer.accountId };
    const answers = found.map((file) => {
      const owners = references.filter(({ file_id }) => file_id === file.id).map((reference) => reference.owner);
      return { owners, answer: attachability(file, owners, about) };
    });
    if (answers.some(({ answer }) => answer === "no")) return false;
    if (answers.some(({ answer }) => answer === "asCoAuthor") && !(await this.#mayChange(tx, viewer, owner))) return false;
    const copied = answers.filter(({ answer }) => answer === "asViewer").map(({ owners }) => owners);
    if (copied.length === 0) return true;
    const visible = await this.#kind.mayView(tx, viewer, [...new Set(copied.flat())]);
    return copied.every((owners) => owners.some((one) => visible.has(one)));
  }

  async #mayChange(tx: Tx, viewer: Viewer, owner: string): Promise<boolean> {
    try {
      await this.#kind.mayUpload(tx, viewer, owner);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /** Throws `files.tooMany`; where an owner has one file, it replaces the one before. */
  async #add(tx: Tx, owner: string, ids: readonly number[]): Promise<void> {
    const { kind, most } = this.#kind;
    const at = this.#deps.clock.now();
    const others = (await repo.referencesOf(tx, kind, [owner])).filter(({ file_id }) => !ids.includes(file_id));
    const replaces = most === 1 && ids.length === 1;
    if (replaces) await repo.removeReferences(tx, others, at);
    else if (others.length + ids.length > most) throw new AppError(filesErrors.tooMany, { params: { most } });
    await repo.addReferences(
      tx,
      ids.map((id) => ({ kind, owner, file_id: id, attached_at: at })),
    );
  }
}
