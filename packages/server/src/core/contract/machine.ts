/** One line of the table of a state machine: the event is possible in each state of `from`. */
export interface Transition<S extends string = string, E extends string = string> {
  readonly event: E;
  readonly from: readonly S[];
  /** When left out, the state stays as it is. */
  readonly to?: S;
}

/**
 * The states of an object and what changes them, as a table that the code asks and docs/operate/state-machines.md
 * shows. Its texts are in the feature's text file under `machines.<object>`: `name`, and a sentence for each
 * state under `states.<state>` and for each event under `events.<event>`.
 */
export interface StateMachine<S extends string = string, E extends string = string> {
  /** `<feature>.<object>`. */
  readonly id: string;
  readonly initial: S;
  readonly states: readonly S[];
  readonly transitions: readonly Transition<S, E>[];
}

export type StateOf<M extends StateMachine> = M["states"][number];
export type EventOf<M extends StateMachine> = M["transitions"][number]["event"];

/** A table that contradicts itself, found when it is defined: meant for developers. */
export class StateMachineFault extends Error {
  override name = "StateMachineFault";
}

/** Names of states that `states` does not list do not compile. */
export function defineStateMachine<const S extends string, const E extends string>(machine: {
  readonly id: `${string}.${string}`;
  readonly initial: NoInfer<S>;
  readonly states: readonly S[];
  readonly transitions: readonly Transition<NoInfer<S>, E>[];
}): StateMachine<S, E> {
  for (const problem of problemsOf(machine)) throw new StateMachineFault(`state machine ${machine.id}: ${problem}`);
  return machine;
}

/** The state after the event; null when the table does not allow it in this state. */
export function nextState<S extends string, E extends string>(
  machine: StateMachine<S, E>,
  state: NoInfer<S>,
  event: NoInfer<E>,
): S | null {
  const found = machine.transitions.find((one) => one.event === event && one.from.includes(state));
  return found === undefined ? null : (found.to ?? state);
}

/** In the order of the table. */
export function allowedEvents<S extends string, E extends string>(machine: StateMachine<S, E>, state: NoInfer<S>): E[] {
  return machine.transitions.filter(({ from }) => from.includes(state)).map(({ event }) => event);
}

/** Every event of the table once. */
export function eventsOf<E extends string>(machine: StateMachine<string, E>): E[] {
  return [...new Set(machine.transitions.map(({ event }) => event))];
}

function problemsOf({ initial, states, transitions }: Omit<StateMachine, "id">): string[] {
  const problems: string[] = [];
  const known = new Set(states);
  if (known.size < states.length) problems.push("a state is listed twice");
  if (!known.has(initial)) problems.push(`it begins in ${initial}, which is not one of its states`);
  const seen = new Set<string>();
  for (const { event, from, to } of transitions) {
    if (from.length === 0) problems.push(`${event} is possible in no state`);
    for (const state of [...from, ...(to === undefined ? [] : [to])])
      if (!known.has(state)) problems.push(`${event} names the state ${state}, which is not one of its states`);
    for (const state of from) {
      if (seen.has(`${event} ${state}`)) problems.push(`${event} leads to two states from ${state}`);
      seen.add(`${event} ${state}`);
    }
  }
  const reached = reachedFrom(initial, transitions);
  for (const state of known) if (!reached.has(state)) problems.push(`nothing leads to the state ${state}`);
  return problems;
}

function reachedFrom(initial: string, transitions: readonly Transition[]): ReadonlySet<string> {
  const reached = new Set([initial]);
  // A set that grows while it is iterated also visits what was added.
  for (const state of reached)
    for (const { from, to } of transitions) if (to !== undefined && from.includes(state)) reached.add(to);
  return reached;
}
