import { call, type Person, person } from "../kit/api.ts";
import type { Program } from "../kit/program.ts";
import { createScope, type Scope, type SetPlace, type Settings } from "../kit/settings.ts";
import { until } from "../kit/until.ts";

export interface Observation {
  /** The value of the option, as an operator reads it. */
  readonly value: string;
  /** What is seen from outside the process with this value. */
  readonly observed: string;
}

/** Shows that an option acts: `run` sets both values and sees the difference from outside, or throws. */
export interface OptionProof {
  readonly option: string;
  readonly first: Observation;
  readonly second: Observation;
  run(kit: ProofKit): Promise<void>;
}

export interface Running {
  readonly place: SetPlace;
  readonly program: Program;
  readonly url: string;
}

export interface ProofKit extends Scope {
  /** Starts the program with these settings and waits until it serves. */
  start(settings?: Settings): Promise<Running>;
  /** Two programs that differ in these settings, side by side. */
  pair(first: Settings, second: Settings): Promise<readonly [Running, Running]>;
  /** Waits until a program that tells nothing on its streams answers. */
  answers(place: SetPlace): Promise<void>;
  /** One program with the usual configuration, shared by proofs that only look at it. */
  usual(): Promise<Running>;
  /** A config admin who is signed in to the usual program, a police officer. */
  admin(): Promise<Person>;
}

/** What the proofs of one test file share. */
export interface SharedPrograms {
  kit(): ProofKit;
  end(): Promise<void>;
}

export function sharedPrograms(): SharedPrograms {
  const forAll = createScope();
  let usual: Promise<Running> | null = null;
  let admin: Promise<Person> | null = null;

  async function startIn(scope: Scope, settings: Settings): Promise<Running> {
    const place = await scope.place(settings);
    return { place, program: await scope.serve(place), url: place.url };
  }

  function kit(): ProofKit {
    const scope = createScope();
    const theUsual = async () => await (usual ??= startIn(forAll, {}));
    return {
      ...scope,
      usual: theUsual,
      start: async (settings = {}) => await startIn(scope, settings),
      pair: async (first, second) => await Promise.all([startIn(scope, first), startIn(scope, second)]),
      async admin() {
        const { place } = await theUsual();
        return await (admin ??= person(place, { username: "usualadmin", groups: "admin" }));
      },
      async answers(place) {
        await until("the program answers", async () => {
          const answer = await call(place.adminUrl, "/livez").catch(() => null);
          return answer?.status === 200;
        });
      },
    };
  }
  return { kit, end: async () => await forAll.end() };
}
