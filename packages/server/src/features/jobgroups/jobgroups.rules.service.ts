import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Tx } from "#core/ports/index.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { RuleKind } from "./jobgroups.api.ts";
import { gradeRule, type GroupRule, jobgroupsErrors, type NamedRule } from "./jobgroups.base.contract.ts";
import { ruleKey } from "./jobgroups.membership.policy.ts";
import { gradesOf } from "./jobgroups.members.repo.ts";
import { requireShape } from "./jobgroups.policy.ts";

/** The kinds of rules, of which this feature knows the one by grade. */
export class RuleKinds {
  readonly #kinds = new Map<string, RuleKind>([[gradeRule, byGrade]]);
  readonly #jobs: Pick<JobsApi, "labels">;

  constructor(jobs: Pick<JobsApi, "labels">) {
    this.#jobs = jobs;
  }

  add(kind: RuleKind): void {
    if (this.#kinds.has(kind.kind)) throw new Error(`rules of the kind ${kind.kind} are registered twice`);
    this.#kinds.set(kind.kind, kind);
  }

  /** Which of these rules each person meets, by `ruleKey`, until when. As many statements as kinds occur. */
  async met(
    tx: Tx,
    job: string,
    rules: readonly GroupRule[],
    citizenIds: readonly number[],
    at: number,
  ): Promise<Map<number, Map<string, number | null>>> {
    const found = new Map<number, Map<string, number | null>>();
    for (const [kind, all] of Map.groupBy(rules, (rule) => rule.kind)) {
      const once = [...new Map(all.map((rule) => [ruleKey(rule), rule])).values()];
      for (const { citizenId, rule, until } of (await this.#kinds.get(kind)?.holders(tx, job, once, citizenIds, at)) ?? []) {
        const own = found.get(citizenId) ?? new Map<string, number | null>();
        found.set(citizenId, own.set(ruleKey(rule), until));
      }
    }
    return found;
  }

  /** Kinds that name objects, with what can be named. */
  async kinds(tx: Tx, viewer: Viewer): Promise<{ kind: string; options: { id: number; name: string }[] }[]> {
    const found = [];
    for (const one of this.#kinds.values()) {
      if (one.kind === gradeRule || !one.sees(viewer, null)) continue;
      found.push({ kind: one.kind, options: (await one.options(tx, viewer.job)).map(({ id, name }) => ({ id, name })) });
    }
    return found;
  }

  sees(viewer: Viewer, { kind }: GroupRule, citizen: Parameters<RuleKind["sees"]>[1]): boolean {
    return this.#kinds.get(kind)?.sees(viewer, citizen) ?? false;
  }

  /** Without the names of what the viewer may not see: of anybody, or of this citizen. */
  async named(
    tx: Tx,
    viewer: Viewer,
    rules: readonly GroupRule[],
    citizen: Parameters<RuleKind["sees"]>[1] = null,
  ): Promise<NamedRule[]> {
    const { job } = viewer;
    const labels = await this.#jobs.labels(tx);
    const kinds = new Map<string, Map<number, string>>();
    for (const kind of new Set(rules.map((rule) => rule.kind))) {
      const one = this.#kinds.get(kind);
      const options = one?.sees(viewer, citizen) === true ? await one.options(tx, job) : [];
      kinds.set(kind, new Map(options.map(({ id, name }) => [id, name])));
    }
    const grade = (from: number) => labels.badge(job, from).gradeLabel;
    const nameOf = ({ kind, id, from, to }: GroupRule): string | null => {
      if (kind !== gradeRule) return kinds.get(kind)?.get(id ?? 0) ?? null;
      return to === null || to === from ? grade(from ?? 0) : `${grade(from ?? 0)} – ${grade(to)}`;
    };
    return rules.map((rule) => ({ ...rule, name: nameOf(rule) }));
  }

  /** Throws for a rule that nobody could meet; those of before stay, although what they name may be gone. */
  async require(tx: Tx, viewer: Viewer, rules: readonly GroupRule[], before: readonly GroupRule[]): Promise<void> {
    const known = new Set(before.map(ruleKey));
    const fresh = rules.filter((rule) => !known.has(ruleKey(rule)));
    fresh.forEach(requireShape);
    for (const [kind, all] of Map.groupBy(fresh, (rule) => rule.kind)) {
      if (kind === gradeRule) continue;
      const one = this.#kinds.get(kind);
      // Who is in the group would tell of whom it is true.
      const named = one?.sees(viewer, null) === true ? await one.options(tx, viewer.job) : [];
      const options = new Set(named.map(({ id }) => id));
      if (all.some(({ id }) => id === null || !options.has(id)))
        throw new AppError(jobgroupsErrors.ruleUnknown, { params: { kind } });
    }
  }
}

const byGrade: RuleKind = {
  kind: gradeRule,
  async holders(tx, job, rules, citizenIds) {
    const grades = await gradesOf(tx, job, citizenIds);
    return [...grades].flatMap(([citizenId, grade]) =>
      rules
        .filter(({ from, to }) => grade >= (from ?? 0) && (to === null || grade <= to))
        .map((rule) => ({ citizenId, rule, until: null })),
    );
  },
  sees: () => true,
  options: async () => await Promise.resolve([]),
};
