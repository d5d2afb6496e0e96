import { createContext } from "react";
import type { LiveAnswers } from "./answers.ts";
import type { Connection } from "./connection.ts";
import type { LiveStates } from "./states.ts";
import type { Topics } from "./topics.ts";

/** The connection of this page, and what is kept current over it. */
export interface Link {
  readonly connection: Connection;
  readonly topics: Topics;
  readonly answers: LiveAnswers;
  readonly states: LiveStates;
}

/** Null before a character is chosen. */
export const LinkContext = createContext<Link | null>(null);
