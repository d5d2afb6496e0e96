import { expect } from "vitest";
import { allowed, type Command, type Id, observe, type Reason, type Result, type World } from "./assignments.model.testkit.ts";
import { draw, type Random } from "./assignments.draw.model.testkit.ts";
import { faultsOf, type Names, type Real, readReal } from "./assignments.seen.testkit.ts";
import { type Answered, leftOut, send } from "./assignments.send.testkit.ts";
import { publicJobs, type Stage } from "./assignments.stage.testkit.ts";

/** A state of the model that agrees with everything that the program has shown so far. */
interface Candidate {
  readonly world: World;
  readonly calls: ReadonlyMap<Id, number>;
  readonly works: ReadonlyMap<Id, number>;
}

/** A command with the calls and assignments that it made, as the model names them. */
interface Step {
  readonly command: Command;
  readonly isLate: boolean;
  readonly made: readonly Id[];
}

/** What the specification leaves open is followed side by side; so many ways at most. */
const mostCandidates = 48;

/** A world with what the program has: no job shares with another one, and one mode a job, with dispatchers or without. */
export function asInProgram(world: World): World {
  const jobs = Object.values(world.jobs).map((job) => {
    const { name, mode } = job;
    return [name, { ...job, fallback: mode, askOnEnd: false, isPublic: publicJobs.includes(name) }] as const;
  });
  return { ...world, offers: [], jobs: Object.fromEntries(jobs) };
}

class Differs extends Error {}

/** One sequence on the program, beside the model. */
class Run {
  readonly #stage: Stage;
  #candidates: readonly Candidate[];
  #real: Real;
  readonly steps: Step[] = [];

  private constructor(stage: Stage, world: World, real: Real) {
    this.#stage = stage;
    this.#real = real;
    this.#candidates = [{ world, calls: new Map(), works: new Map() }];
  }

  static async begin(stage: Stage, world: World): Promise<Run> {
    await stage.begin(world);
    return new Run(stage, world, await readReal(stage));
  }

  get world(): World {
    return this.#candidates[0]!.world;
  }

  /** Throws where the program does what the model does not allow. */
  async step(command: Command): Promise<Step> {
    const [first] = this.#candidates;
    const context = { stage: this.#stage, world: first!.world, real: this.#real, names: this.#namesOf(first!) };
    this.#stage.tick();
    const answered = await send(context, command);
    await this.#stage.react();
    this.#real = await readReal(this.#stage);
    const tried = this.#candidates.flatMap((one) =>
      allowed(one.world, command).map((result) => this.#follow(one, result, answered)),
    );
    const fitting = tried.filter(({ faults }) => faults.length === 0);
    if (fitting.length === 0) throw new Differs(this.#differs(command, answered, tried));
    const known = new Map(fitting.map((one) => [JSON.stringify(one.next.world), one]));
    const [chosen] = known.values();
    const keys = (one: Candidate) => [...one.calls.keys(), ...Object.keys(one.world.assignments)].toSorted().join();
    // Only those in which the same command names the same.
    const alike = [...known.values()].filter(({ next }) => keys(next) === keys(chosen!.next));
    this.#candidates = alike.slice(0, mostCandidates).map(({ next }) => next);
    const isLate = "seen" in command && command.seen !== first!.world.assignments[command.assignment]?.version;
    const step = { command, isLate, made: chosen!.made };
    this.steps.push(step);
    return step;
  }

  #namesOf({ calls, works }: Pick<Candidate, "calls" | "works">): Names {
    const people = new Map([...this.#stage.people].map(([id, { characterId }]) => [id, characterId]));
    return { calls, works, units: this.#stage.units, people };
  }

  #follow(from: Candidate, { world, outcome }: Result, answered: Answered) {
    const real = this.#real;
    if (outcome.kind === "either") throw new Error("a result of a result");
    const reasons: readonly Reason[] = outcome.kind === "refused" ? outcome.reasons : [];
    const refused = answered.kind === "refused" && reasons.some((reason) => answered.reasons.includes(reason));
    const made = outcome.kind === "done" ? [...outcome.calls, ...outcome.assignments] : [];
    const calls = new Map(from.calls);
    const taken = new Set(calls.values());
    const added = [...real.calls.keys()].filter((id) => !taken.has(id));
    for (const [at, id] of (outcome.kind === "done" ? outcome.calls : []).entries())
      if (added[at] !== undefined) calls.set(id, added[at]);
    const works = new Map(from.works);
    const open = [...real.works.values()].filter(({ isOpen }) => isOpen);
    for (const one of observe(world).open) {
      const row = open.find(({ call, unit }) => call === calls.get(one.call) && unit === this.#stage.units.get(one.unit));
      const named = Object.values(world.assignments).find(
        (a) => a.call === one.call && a.unit === one.unit && a.state === one.state,
      );
      if (row !== undefined && named !== undefined) works.set(named.id, row.id);
    }
    const next = { world, calls, works };
    if (outcome.kind !== answered.kind || (outcome.kind === "refused" && !refused))
      return { next, made, faults: [`${outcome.kind} ${reasons.join(" ")}`], isOther: true };
    return { next, made, faults: faultsOf(observe(world), real, this.#namesOf(next)), isOther: false };
  }

  #differs(
    command: Command,
    answered: Answered,
    tried: readonly { readonly faults: readonly string[]; readonly isOther: boolean }[],
  ): string {
    const same = tried.filter(({ isOther }) => !isOther);
    const best = (same.length > 0 ? same : tried).toSorted((a, b) => a.faults.length - b.faults.length)[0];
    const answer = answered.kind === "done" ? "done" : `refused: ${answered.text}`;
    return `${JSON.stringify(command)} was ${answer}; of ${tried.length} results the nearest one has: ${best?.faults.join("; ")}`;
  }
}

const named = ["call", "into", "other", "assignment"] as const;

/** The command with the ids of another run; null where it names what was not made there. */
function translated({ command, isLate }: Step, ids: ReadonlyMap<Id, Id>, world: World): Command | null {
  const next: Record<string, unknown> = { ...command };
  for (const name of named) {
    if (!(name in next)) continue;
    const id = ids.get(String(next[name]));
    if (id === undefined) return null;
    next[name] = id;
  }
  if ("seen" in next) next["seen"] = (world.assignments[String(next["assignment"])]?.version ?? 0) - (isLate ? 1 : 0);
  return next as Command;
}

/** What differs when these steps are sent once more; null where nothing does. */
async function replay(stage: Stage, world: World, steps: readonly Step[]): Promise<{ text: string; steps: Step[] } | null> {
  const run = await Run.begin(stage, world);
  await stage.plan();
  const ids = new Map<Id, Id>();
  const sent: Step[] = [];
  for (const step of steps) {
    const command = translated(step, ids, run.world);
    if (command === null || leftOut(run.world, command) !== null) continue;
    sent.push(step);
    try {
      const { made } = await run.step(command);
      for (const [at, id] of step.made.entries()) if (made[at] !== undefined) ids.set(id, made[at]);
    } catch (error) {
      if (error instanceof Differs) return { text: error.message, steps: sent };
      throw error;
    }
  }
  return null;
}

const mostReplays = 80;

/** The fewest steps of these that still differ, by leaving out ever smaller parts. */
async function smallest(stage: Stage, world: World, failing: readonly Step[]): Promise<{ text: string; steps: readonly Step[] }> {
  let found = await replay(stage, world, failing);
  if (found === null) return { text: "it differs no more when it is sent again", steps: failing };
  let left = mostReplays;
  for (let size = Math.ceil(found.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < found.steps.length && left > 0; left -= 1) {
      const fewer = await replay(stage, world, found.steps.toSpliced(at, size));
      if (fewer === null) at += size;
      else found = fewer;
    }
  }
  return found;
}

/** Draws and sends so many commands; the smallest sequence that differs, or null. */
export async function sequence(stage: Stage, drawn: World, random: Random, length: number): Promise<string | null> {
  const world = asInProgram(drawn);
  const run = await Run.begin(stage, world);
  await stage.plan();
  while (run.steps.length < length) {
    const command = draw(random, run.world);
    if (leftOut(run.world, command) !== null) continue;
    try {
      await run.step(command);
    } catch (error) {
      if (!(error instanceof Differs)) throw error;
      const isLate = "seen" in command && command.seen !== run.world.assignments[command.assignment]?.version;
      const { text, steps } = await smallest(stage, world, [...run.steps, { command, isLate, made: [] }]);
      const jobs = Object.values(world.jobs).map(
        ({ name, mode, completeWithLastWork: c, minimumCrewMakesAvailable: m }) => `${name} ${mode} ${c} ${m}`,
      );
      return [
        error.message,
        text,
        jobs.join("; "),
        ...steps.map((one) => `${JSON.stringify(one.command)} ${one.made.join(" ")}`),
      ].join("\n");
    }
  }
  expect(run.steps.length).toBe(length);
  return null;
}
