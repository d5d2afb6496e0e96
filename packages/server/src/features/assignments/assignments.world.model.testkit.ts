// Random worlds: three jobs with crews and one without.
import type { Id, Job, Mode, Person, Unit, World } from "./assignments.types.model.testkit.ts";

type Random = () => number; // [0, 1)

const oneOf = <T>(random: Random, values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];

const modes: readonly Mode[] = ["manual", "central", "simplified"];
const jobIn = (random: Random, name: Id): Job => ({
  name,
  mode: oneOf(random, modes) ?? "manual",
  fallback: random() < 0.15 ? "central" : random() < 0.5 ? "manual" : "simplified",
  isPublic: name === "medic",
  completeWithLastWork: random() < 0.5,
  minimumCrewMakesAvailable: random() < 0.6,
  askOnEnd: random() < 0.2,
});
const personIn = (id: Id, job: Id, grade: number, rest: Partial<Person> = {}): Person => ({
  id,
  job,
  grade,
  onDuty: true,
  mayDispatch: false,
  mayCreate: true,
  desk: "never",
  ...rest,
});
const unitIn = (id: Id, job: Id, crew: readonly Id[], rest: Partial<Unit> = {}): Unit => ({
  id,
  job,
  minimumCrew: 1,
  isStatic: false,
  temporary: false,
  dissolved: false,
  status: crew.length > 0 ? "available" : "unavailable",
  remembered: null,
  crew,
  emptySince: crew.length > 0 ? null : 0,
  touched: 0,
  ...rest,
});
const byId = <T extends { readonly id: Id }>(values: readonly T[]): Record<Id, T> =>
  Object.fromEntries(values.map((value) => [value.id, value]));

/** Three jobs with crews, one without; the settings of the jobs are drawn. */
export const drawWorld = (random: Random): World => ({
  now: 0,
  next: 1,
  calls: {},
  assignments: {},
  alerts: [],
  jobs: Object.fromEntries(["police", "medic", "fire", "civil"].map((name) => [name, jobIn(random, name)])),
  people: byId([
    personIn("p1", "police", 4, { mayDispatch: true, desk: "open" }),
    personIn("p2", "police", 2),
    personIn("p3", "police", 1),
    personIn("p4", "police", 1),
    personIn("p5", "police", 3, { mayDispatch: true }),
    personIn("p6", "police", 1, { onDuty: false }),
    personIn("m1", "medic", 3, { mayDispatch: true, desk: "open" }),
    personIn("m2", "medic", 1),
    personIn("m3", "medic", 1),
    personIn("m4", "medic", 0),
    personIn("f1", "fire", 3, { mayDispatch: true, desk: random() < 0.4 ? "open" : "never" }),
    personIn("f2", "fire", 1),
    personIn("f3", "fire", 1),
    personIn("z1", "civil", 0),
    personIn("z2", "civil", 0, { mayCreate: false, onDuty: false }),
  ]),
  units: byId([
    unitIn("police1", "police", ["p2", "p3"], { minimumCrew: 2 }),
    unitIn("police2", "police", ["p4"]),
    unitIn("policeDesk", "police", ["p5"], { isStatic: true, status: "busy" }),
    unitIn("policeSpare", "police", [], { temporary: true }),
    unitIn("medic1", "medic", ["m2", "m3"]),
    unitIn("medic2", "medic", ["m4"]),
    unitIn("fire1", "fire", ["f2"]),
    unitIn("fire2", "fire", ["f3"], { temporary: true }),
  ]),
  offers: [
    { from: "medic", to: "police", level: "dispatch", minimumGrade: 2, expiresAt: null },
    { from: "police", to: "medic", level: "participate", minimumGrade: 1, expiresAt: null },
    { from: "police", to: "fire", level: "view", minimumGrade: 0, expiresAt: 900 },
    { from: "fire", to: "police", level: "dispatch", minimumGrade: 4, expiresAt: null },
    { from: "fire", to: "medic", level: "block", minimumGrade: 0, expiresAt: null },
  ],
});
