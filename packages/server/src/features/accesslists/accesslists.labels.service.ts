import type { Tx } from "#core/ports/index.ts";
import type { CharacterRecord, CitizensApi } from "#features/citizens/citizens.api.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import { type JobsApi, namesOfBadge } from "#features/jobs/jobs.api.ts";
import type { PrincipalKinds } from "./accesslists.principals.service.ts";
import { type Entry, type Rules, seesJob, seesName, type ViewScope, writeEntry } from "./accesslists.policy.ts";

const mostGrantors = 5;

export interface LabelsDeps {
  readonly citizens: CitizensApi;
  readonly jobs: JobsApi;
  readonly principals: PrincipalKinds;
}

export const nameOf = ({ firstName, lastName }: CharacterRecord) => `${firstName} ${lastName}`.trim();

/** Names the subjects of entries, within what a viewer may see. */
export class EntryLabels {
  readonly #deps: LabelsDeps;

  constructor(deps: LabelsDeps) {
    this.#deps = deps;
  }

  /** The entries as the contract sends them; a citizen whom the viewer may not see is `CIT-12`. */
  async label(tx: Tx, scope: ViewScope, levels: readonly string[], entries: readonly Entry[]) {
    const labels = await this.#deps.jobs.labels(tx);
    const citizens = entries.filter(({ subject, id }) => subject === "citizen" && seesName(scope, id));
    const names = await namesOfCitizens(
      tx,
      citizens.map(({ id }) => id),
    );
    const registered = await this.#registered(tx, entries);
    const labelOf = (entry: Entry): string => {
      if (entry.subject === "job") {
        return namesOfBadge(labels.badge(entry.job, entry.minGrade)).join(" · ");
      }
      if (entry.subject === "citizen") return names.get(entry.id) ?? `CIT-${entry.id}`;
      return registered.get(`${entry.subject} ${entry.id}`) ?? String(entry.id);
    };
    return entries.map((entry) => ({ ...writeEntry(levels, entry), label: labelOf(entry) }));
  }

  /** Names of groups and qualifications. */
  async #registered(tx: Tx, entries: readonly Entry[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const subject of ["group", "qualification"] as const) {
      const ids = entries.filter((entry) => entry.subject === subject).map(({ id }) => id);
      const names = ids.length > 0 ? await this.#deps.principals.get(subject)?.names(tx, ids) : undefined;
      for (const [id, name] of names ?? []) found.set(`${subject} ${id}`, name);
    }
    return found;
  }

  /** Names of the creator and of entries with the highest level: they can change the list. */
  async grantorsOf(
    tx: Tx,
    scope: ViewScope,
    levels: readonly string[],
    { entries, rules }: { readonly entries: readonly Entry[]; readonly rules: Rules },
  ): Promise<string[]> {
    const editors = entries.filter(({ level }) => level === levels.length).slice(0, mostGrantors);
    const names = (await this.label(tx, scope, levels, editors)).map(({ label }) => label);
    if (rules.creatorId === null) return names;
    const creator = await this.#deps.citizens.character(tx, rules.creatorId);
    // Viewers who may not see jobs always get the creator: its absence would reveal a change of job.
    const named = creator !== null && (!seesJob(scope, rules.creatorJob) || creator.job.name === rules.creatorJob);
    return named ? [nameOf(creator), ...names] : names;
  }
}
