import { asProblem, type Problem } from "#core/problem.ts";
import { createStore, type Store } from "#core/store.ts";
import { cleaned, isSame, type FormContract, type Values } from "./contract.ts";
import { openingOf, type DraftKeeper, type KeptDraft } from "./drafts.ts";
import { errorsOf, fieldOf, type FieldError } from "./errors.ts";
import { changedFields, differences, merged, proposed, rebased, type Difference, type Side, type Stored } from "./merge.ts";

/** Two versions of a record, and which one the person chose for each field so far. */
export interface Conflict {
  readonly found: readonly Difference[];
  readonly chosen: Readonly<Record<string, Side>>;
  /** The choice is saved at once: the person was saving. */
  readonly saves: boolean;
}

/**
 * A draft whose text is in the form already, one on an older version, one of another device, or what was typed before
 * another draft took its place.
 */
export type DraftKind = "restored" | "here" | "elsewhere" | "replaced";

export interface FormState {
  /** Paths of the fields that differ from what is stored. */
  readonly changed: readonly string[];
  readonly busy: boolean;
  /** Why saving failed, unless it is said at a field. */
  readonly problem: unknown;
  readonly conflict: Conflict | null;
  /** Somebody saved another version since. */
  readonly overtaken: boolean;
  readonly draft: { readonly at: number; readonly kind: DraftKind } | null;
  /** What the person is about to leave for, until they say what becomes of the unsaved text. */
  readonly leaving: (() => void) | null;
}

/** The fields on the page. */
export interface Inputs<V> {
  get(): V;
  /** Shows other values. */
  set(values: V): void;
  /** Shows what is wrong with each field, and moves the focus to the first. */
  fail(errors: Readonly<Record<string, FieldError | Problem>>): void;
}

export interface FormRules<V extends Values> {
  readonly contract: FormContract;
  /** Paths of all fields, in their order on the page. */
  readonly fields: readonly string[];
  /** Fields whose text is sent with the space around it, such as passwords. */
  readonly asTyped?: readonly string[];
  /** Fields that refusals with these codes are about. */
  readonly refusals?: Readonly<Record<string, string>>;
  /** What the contract cannot say, as a minimum that operators set. */
  check?(values: V): Readonly<Partial<Record<string, FieldError>>>;
  /** Sends cleaned values. `version` is of the record that they were begun with. */
  save(values: V, version: number): Promise<unknown>;
  /** Reads the record again, after somebody else changed it. */
  read?(): Promise<Stored<V>>;
  /** Reads again what was saved; the form stays busy meanwhile. */
  saved?(): Promise<unknown> | void;
  /** Saving empties the fields. */
  readonly empties?: boolean;
}

const QUIET: FormState = {
  changed: [],
  busy: false,
  problem: null,
  conflict: null,
  overtaken: false,
  draft: null,
  leaving: null,
};

/** A newer version, and what of one's own is compared with it: a draft, or what the fields show. */
interface Theirs<V> {
  readonly stored: Stored<V>;
  readonly draft: KeptDraft | null;
  readonly thenSave: boolean;
}

/** What a form does, apart from how it looks. */
export class FormModel<V extends Values> {
  readonly state = createStore<FormState>(QUIET);
  /** What the fields show first. */
  readonly initial: V;
  /** What the fields show now. */
  readonly values: Store<V>;
  readonly #keeper: DraftKeeper | null;
  #rules: FormRules<V>;
  #inputs: Inputs<V> | null = null;
  #base: Stored<V>;
  /** The record as it was last read. */
  #seen: Stored<V>;
  /** Saved, and not read again yet. */
  #written = false;
  #arrived: Stored<V> | null = null;
  #theirs: Theirs<V> | null = null;
  #offered: KeptDraft | null = null;

  constructor(rules: FormRules<V>, stored: Stored<V>, keeper: DraftKeeper | null) {
    this.#rules = rules;
    this.#base = stored;
    this.#seen = stored;
    this.#keeper = keeper;
    const draft = keeper?.local() ?? null;
    const opening = openingOf(draft, stored, true);
    this.initial = draft && opening === "restore" ? rebased(rules.fields, draft, stored.values) : stored.values;
    this.values = createStore(this.initial);
    if (draft && opening !== "nothing") this.#found(draft, opening === "restore" ? "restored" : "here");
    if (opening === "restore") this.#put({ changed: this.#changedOf(this.initial) });
  }

  /** The rules of the last render. */
  use(rules: FormRules<V>): void {
    this.#rules = rules;
  }

  /** Begins to show the form; the returned function ends it. */
  begin(inputs: Inputs<V>): () => void {
    this.#inputs = inputs;
    void this.#keeper?.fromElsewhere().then((draft) => {
      if (this.#inputs !== inputs || openingOf(draft, this.#base, false) === "nothing" || this.state.get().busy) return;
      this.#found(draft!, "elsewhere");
    });
    return () => {
      this.#inputs = null;
      this.#keeper?.flush();
    };
  }

  flush(): void {
    this.#keeper?.flush();
  }

  /** The person changed something. */
  typed(values: V): void {
    this.values.set(values);
    const changed = this.#changedOf(values);
    if (!isSame(changed, this.state.get().changed)) this.#put({ changed });
    if (!this.#keeper) return;
    if (changed.length > 0) this.#keeper.write(this.#base, values, this.#offered !== null);
    else if (this.#keeper.local() && !this.#offered) this.#keeper.drop();
  }

  /** The record as it was read now. */
  stored(next: Stored<V>): void {
    if (next.version === this.#seen.version && isSame(next.values, this.#seen.values)) return;
    this.#seen = next;
    if (this.state.get().busy) this.#arrived = next;
    else this.#follow(next);
  }

  #follow(next: Stored<V>): void {
    if (next.version === this.#base.version && isSame(next.values, this.#base.values)) return;
    const untouched = this.state.get().changed.length === 0;
    const isOwn = this.#written && isSame(this.#clean(next.values), this.#clean(this.#base.values));
    this.#written = false;
    if (untouched || isOwn) {
      this.#base = next;
      if (untouched) this.#show(next.values);
      return;
    }
    if (isSame(this.#clean(next.values), this.#clean(this.values.get()))) {
      // Somebody else, or the person on another device, saved just this: nothing is left to save.
      this.#base = next;
      this.#forget();
      return;
    }
    if (this.state.get().conflict) this.#compareAgain(next);
    else {
      this.#theirs = { stored: next, draft: null, thenSave: false };
      this.#put({ overtaken: true });
    }
  }

  /** While the person chooses between two versions, a third one takes the place of the other. */
  #compareAgain(next: Stored<V>): void {
    const theirs = this.#theirs;
    if (!theirs || !this.#inputs || next.version === theirs.stored.version) return;
    this.#compare({ ...theirs, stored: next });
  }

  async submit(): Promise<void> {
    const inputs = this.#inputs;
    if (!inputs || this.state.get().busy) return;
    const values = this.#clean(inputs.get());
    const errors = this.#wrong(values);
    if (Object.keys(errors).length > 0) {
      inputs.fail(errors);
      return;
    }
    this.#put({ busy: true, problem: null, conflict: null });
    try {
      await this.#rules.save(values, this.#base.version);
      await this.#saved(values);
    } catch (problem) {
      await this.#refused(asProblem(problem));
    }
    const arrived = this.#arrived;
    this.#arrived = null;
    this.#put({ busy: false });
    if (arrived) this.#follow(arrived);
  }

  /** Back to what is stored. */
  discard(): void {
    const newest = this.#theirs?.stored ?? this.#base;
    this.#base = newest;
    this.#forget();
    this.#show(newest.values);
  }

  /** Shows the draft that was found; one that somebody's change has overtaken is compared with it first. */
  takeDraft(): void {
    const draft = this.#offered;
    if (!draft) return;
    if (draft.base.version === this.#base.version) this.#replace(rebased(this.#rules.fields, draft, this.#base.values));
    else this.#compare({ stored: this.#base, draft, thenSave: false });
  }

  dropDraft(): void {
    if (!this.#offered) {
      this.discard();
      return;
    }
    this.#forgetDraft();
    // What was typed meanwhile is a draft as well.
    this.typed(this.values.get());
  }

  /** Shows one's own version beside the newer one. */
  compare(): void {
    if (this.#theirs) this.#compare({ ...this.#theirs, thenSave: false });
  }

  choose(field: string, side: Side): void {
    const { conflict } = this.state.get();
    if (conflict) this.#put({ conflict: { ...conflict, chosen: { ...conflict.chosen, [field]: side } } });
  }

  /** Takes over what was chosen for each field, on the newer version. */
  async settle(): Promise<void> {
    const { conflict } = this.state.get();
    const theirs = this.#theirs;
    if (!conflict || !theirs) return;
    const settled = merged(theirs.stored.values, conflict.found, conflict.chosen);
    this.#base = theirs.stored;
    this.#theirs = null;
    this.#put({ conflict: null, overtaken: false, problem: null });
    if (theirs.draft) this.#replace(settled);
    else this.#show(settled);
    if (theirs.thenSave) await this.submit();
  }

  closeConflict(): void {
    // The draft stays on offer.
    if (this.#theirs?.draft) this.#theirs = null;
    this.#put({ conflict: null, overtaken: this.#theirs !== null });
  }

  /** Text that is worth keeping, because the form has drafts, is not saved. */
  holds(): boolean {
    const { changed, busy } = this.state.get();
    return this.#keeper !== null && changed.length > 0 && !busy;
  }

  /** Leaves at once when nothing would be lost, otherwise after the person was asked. */
  leave(go: () => void): void {
    if (!this.holds()) go();
    else this.#put({ leaving: go });
  }

  /** The answer to that question: `keep` leaves the draft, `drop` discards it. */
  answerLeaving(answer: "stay" | "keep" | "drop"): void {
    const go = this.state.get().leaving;
    this.#put({ leaving: null });
    if (answer === "stay") return;
    if (answer === "keep") this.#keeper?.flush();
    else this.#forget();
    go?.();
  }

  /** The text is given up, or kept as a draft: nothing holds the page any more. */
  letGo(keep: boolean): void {
    if (keep) this.#keeper?.flush();
    else this.#forget();
  }

  #put(change: Partial<FormState>): void {
    this.state.set({ ...this.state.get(), ...change });
  }

  #clean(values: V): V {
    return cleaned(this.#rules.contract.schema, values, this.#rules.asTyped);
  }

  #changedOf(values: V): string[] {
    return changedFields(this.#rules.fields, this.#clean(this.#base.values), this.#clean(values));
  }

  #show(values: V): void {
    this.#inputs?.set(values);
    this.typed(values);
  }

  /** Shows a draft. What was typed here is offered in its place. */
  #replace(values: V): void {
    const typed = this.state.get().changed.length > 0 ? (this.#keeper?.local() ?? null) : null;
    this.#offered = null;
    this.#put({ draft: null });
    this.#show(values);
    if (typed) this.#found(typed, "replaced");
  }

  #found(draft: KeptDraft, kind: DraftKind): void {
    this.#offered = kind === "restored" ? null : draft;
    this.#put({ draft: { at: draft.at, kind } });
  }

  #forgetDraft(): void {
    this.#offered = null;
    this.#keeper?.drop();
    this.#put({ draft: null });
  }

  #forget(): void {
    this.#theirs = null;
    this.#forgetDraft();
    this.#put({ changed: [], problem: null, conflict: null, overtaken: false });
  }

  #wrong(values: V): Record<string, FieldError> {
    const { contract, fields, check } = this.#rules;
    const wrong: Record<string, FieldError> = {};
    for (const [field, error] of Object.entries(check?.(values) ?? {})) if (error) wrong[field] = error;
    for (const [path, error] of Object.entries(errorsOf(contract, values))) {
      const field = fields.find((one) => path === one || path.startsWith(`${one}.`));
      // What no field shows is left to the server.
      if (field !== undefined) wrong[field] ??= error;
    }
    return wrong;
  }

  async #saved(values: V): Promise<void> {
    this.#base = { ...this.#base, values: this.#rules.empties ? this.#base.values : values };
    this.#written = !this.#rules.empties;
    this.#theirs = null;
    this.#forgetDraft();
    this.#put({ overtaken: false });
    if (this.#rules.empties) this.#show(this.#base.values);
    else if (this.#inputs) this.typed(this.#inputs.get());
    await this.#rules.saved?.();
  }

  async #refused(problem: Problem): Promise<void> {
    const { contract, fields, refusals, read } = this.#rules;
    if (problem.status === 409 && problem.code.endsWith(".stale") && read) {
      try {
        const theirs = await read();
        this.#compare({ stored: theirs, draft: null, thenSave: true });
      } catch (failed) {
        this.#put({ problem: failed });
      }
      return;
    }
    const field = refusals?.[problem.code] ?? fieldOf(contract, problem, fields);
    if (field !== null) this.#inputs?.fail({ [field]: problem });
    else this.#put({ problem });
  }

  #compare(theirs: Theirs<V>): void {
    const { stored, draft, thenSave } = theirs;
    if (!this.#inputs) return;
    const [base, mine] = draft ? [draft.base.values as V, draft.mine as V] : [this.#base.values, this.#clean(this.#inputs.get())];
    const found = differences(this.#rules.fields, this.#clean(base), mine, this.#clean(stored.values));
    this.#theirs = theirs;
    this.#arrived = null;
    this.#put({ conflict: { found, chosen: proposed(found), saves: thenSave } });
  }
}
