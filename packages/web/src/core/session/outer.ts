import type { SessionState } from "./session.ts";

export type OuterPage =
  | "register"
  | "reset"
  | "setup"
  | "wallboard"
  | "unreachable"
  | "factor"
  | "login"
  | "alone"
  | "characters"
  | "application";

type Phase = Exclude<SessionState["phase"], "starting">;

interface OuterRoute {
  readonly page: OuterPage;
  /** Addresses that are this one or below it; all addresses if left out. */
  readonly at?: string;
  /** All phases if left out. */
  readonly phase?: Phase;
  /** Only for config admins. */
  readonly admins?: true;
}

/**
 * What fills the window, by address and session: the first row that fits. It is a table of its own, because the router
 * with its 30 kB would take a fifth of what the sign-in may load; the routers of `application` and `alone` leave to it
 * the addresses that it claims in every phase (`outerAddresses`).
 */
const outerRoutes: readonly OuterRoute[] = [
  // Pages with a token work regardless of the session of this browser; the setup begins signed out and continues signed in.
  { page: "register", at: "/register" },
  { page: "reset", at: "/reset" },
  { page: "setup", at: "/setup" },
  { page: "wallboard", at: "/wallboard" },
  { page: "unreachable", phase: "unreachable" },
  { page: "factor", at: "/login/factor", phase: "signedOut" },
  { page: "login", phase: "signedOut" },
  { page: "alone", at: "/account", phase: "choosing" },
  { page: "alone", at: "/panel", phase: "choosing", admins: true },
  { page: "characters", phase: "choosing" },
  { page: "application", phase: "active" },
];

/** The addresses that belong to no router. */
export const outerAddresses: readonly string[] = outerRoutes.flatMap(({ at, phase }) =>
  at !== undefined && phase === undefined ? [at] : [],
);

/** What fills the window; null while it is not known who is signed in, unless the address decides alone. */
export function outerPageOf(state: SessionState, path: string): OuterPage | null {
  const isAdmin = state.phase === "choosing" && state.account.configAdmin;
  const fits = ({ at, phase, admins }: OuterRoute) =>
    (at === undefined || path === at || path.startsWith(`${at}/`)) &&
    (phase === undefined || phase === state.phase) &&
    (admins === undefined || isAdmin);
  return state.phase === "starting" ? null : (outerRoutes.find(fits)?.page ?? null);
}
