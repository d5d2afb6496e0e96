import fc from "fast-check";
import { expect, test } from "vitest";
import { testTiming } from "./client.testkit.ts";
import { Journal, type JournalFile } from "./journal.ts";
import { RequestLoop } from "./requests.ts";
import { lostCall, modelTransport, RequestModel } from "./requests.testkit.ts";

/** Where a process dies: at a write to the disk, or in a handler. */
type Crash =
  | { readonly at: "write"; readonly nth: number; readonly written: "nothing" | "half" | "all" }
  | { readonly at: "handler"; readonly nth: number; readonly effect: boolean };

type Loss = "none" | "call" | "answer";

interface Plan {
  /** Of each process; the one behind the last of them lives. */
  readonly crashes: readonly Crash[];
  /** Of the calls, over all processes; later ones arrive. */
  readonly losses: readonly Loss[];
  /** What each request does. */
  readonly requests: readonly ("answers" | "throws" | "isUnknown")[];
  /** Whether Rollcall is restored from a backup when a process dies. */
  readonly restores: readonly boolean[];
}

const crash = fc.oneof(
  fc.record({
    at: fc.constant("write" as const),
    nth: fc.integer({ min: 1, max: 20 }),
    written: fc.constantFrom("nothing" as const, "half" as const, "all" as const),
  }),
  fc.record({ at: fc.constant("handler" as const), nth: fc.integer({ min: 1, max: 4 }), effect: fc.boolean() }),
);

const plans: fc.Arbitrary<Plan> = fc.record({
  crashes: fc.array(crash, { maxLength: 5 }),
  losses: fc.array(fc.constantFrom<Loss>("none", "none", "call", "answer"), { maxLength: 30 }),
  requests: fc.array(fc.constantFrom("answers" as const, "answers" as const, "throws" as const, "isUnknown" as const), {
    minLength: 1,
    maxLength: 8,
  }),
  restores: fc.array(fc.boolean(), { maxLength: 5 }),
});

/** More than any plan needs. */
const mostCalls = 500;

const never = () => new Promise<never>(() => undefined);

/** Runs of handlers, by request, over all processes. */
class World {
  readonly model = new RequestModel();
  readonly begun: string[] = [];
  readonly effects: string[] = [];
  disk = "";
  #calls = 0;
  readonly #plan: Plan;

  constructor(plan: Plan) {
    this.#plan = plan;
    for (const what of plan.requests) this.model.send(what === "isUnknown" ? "other.kind" : "citizens.resync", { what });
  }

  /** Runs a process until it dies or everything has ended; true for the latter. */
  async process(planned: Crash | undefined): Promise<boolean> {
    const over = Promise.withResolvers<boolean>();
    const closing = new AbortController();
    let dead = false;
    let writes = 0;
    let runs = 0;
    const die = async (): Promise<never> => {
      dead = true;
      over.resolve(false);
      return await never();
    };
    const write = async (text: string, whole: boolean) => {
      if (dead) return await never();
      writes += 1;
      const dies = planned?.at === "write" && planned.nth === writes;
      const written =
        !dies || planned.written === "all" ? text : planned.written === "half" ? text.slice(0, text.length / 2) : "";
      // A new file takes the place of the old one only when it is complete.
      if (whole) this.disk = written === text ? text : this.disk;
      else this.disk += written;
      return dies ? await die() : undefined;
    };
    const file: JournalFile = {
      read: async () => this.disk,
      append: async (text) => await write(text, false),
      replace: async (text) => await write(text, true),
      close: async () => undefined,
    };
    const transport = modelTransport(this.model, async (work) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (dead || closing.signal.aborted) return await never();
      // A process that does not come to an end fails the test instead of keeping it.
      if (this.#calls > mostCalls) return await die();
      const loss = this.#plan.losses[this.#calls++] ?? "none";
      if (loss === "call") throw lostCall();
      const answer = work();
      if (loss === "answer") throw lostCall();
      if (this.model.allEnded) {
        closing.abort();
        over.resolve(true);
      }
      return answer;
    });
    const handler = async (payload: unknown, { id }: { readonly id: string }) => {
      runs += 1;
      this.begun.push(id);
      const dies = planned?.at === "handler" && planned.nth === runs;
      if (dies && !planned.effect) return await die();
      this.effects.push(id);
      if (dies) return await die();
      if ((payload as { what: string }).what === "throws") throw new Error("no");
      return {};
    };
    const context = {
      retry: { attempts: 3, baseMs: 1, maxMs: 1 },
      timing: { ...testTiming().timing, sleep: async () => await new Promise<void>((resolve) => setImmediate(resolve)) },
      signal: closing.signal,
      emit: () => undefined,
    };
    void (async () => {
      const journal = await Journal.open(file, () => 0);
      await new RequestLoop(journal, {
        transport,
        context,
        source: "city-1",
        timeoutMs: 30_000,
        handlers: new Map([["citizens.resync", { handler, timeoutMs: 60_000 }]]),
      }).run();
    })();
    return await over.promise;
  }
}

const repeated = (ids: readonly string[]) => ids.filter((id, i) => ids.indexOf(id) !== i);

test(
  "whatever dies and is lost, each request is run at most once, in order, and its end is what happened",
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const world = new World(plan);
        for (const [i, planned] of plan.crashes.entries()) {
          if (await world.process(planned)) break;
          if (plan.restores[i] === true) world.model.restore();
        }
        if (!world.model.allEnded) expect(await world.process(undefined)).toBe(true);
        expect(repeated(world.begun)).toEqual([]);
        expect(world.begun).toEqual(world.begun.toSorted());
        for (const { id, state, payload } of world.model.stored) {
          const begun = world.begun.includes(id);
          const happened = world.effects.includes(id);
          const what = payload["what"];
          if (state === "done") expect([happened, what]).toEqual([true, "answers"]);
          if (state === "refused") expect(what).not.toBe("answers");
          if (state === "refused" && what === "throws") expect(begun).toBe(true);
          if (what === "isUnknown") expect([begun, state]).toEqual([false, "refused"]);
        }
      }),
      { seed: 1123, numRuns: 400 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) },
    );
  },
);
