import { createContext, useContext, type ReactNode } from "react";
import type { RoleGrant, RowLabels } from "@rollcall/server/contract/access";
import { useText } from "#core/i18n.ts";
import { attributeName, choiceOf, valueSummary, type Permission, type Value } from "./grants.ts";

interface Naming {
  readonly permissions: readonly Permission[];
  readonly labels: RowLabels;
}

const NamingContext = createContext<Naming>({ permissions: [], labels: {} });

/** Provides the labels of rows that attributes name, in addition to those that are provided around it. */
export function RowNames(props: { permissions?: readonly Permission[]; labels: RowLabels; children: ReactNode }) {
  const outer = useContext(NamingContext);
  const sources = new Set([...Object.keys(outer.labels), ...Object.keys(props.labels)]);
  const labels = Object.fromEntries(
    [...sources].map((source) => [source, { ...outer.labels[source], ...props.labels[source] }] as const),
  );
  return <NamingContext value={{ permissions: props.permissions ?? outer.permissions, labels }}>{props.children}</NamingContext>;
}

/** The labels of one source. */
export function useRowLabels(source: string | undefined): Readonly<Record<string, string | null>> {
  return useContext(NamingContext).labels[source ?? ""] ?? {};
}

/** A whole value of an attribute in one line. */
export function useAttributeText(): (permission: string, attribute: string, value: Value) => string {
  const { t } = useText();
  const { permissions, labels } = useContext(NamingContext);
  return (permission, attribute, value) => {
    const [feature = ""] = permission.split(".", 1);
    const known = permissions.find(({ id }) => id === permission)?.attributes.find(({ name }) => name === attribute);
    return valueSummary(t, feature, value, known?.type === "data" ? (labels[known.source ?? ""] ?? {}) : null);
  };
}

/** A grant in one line; `texts` is the text key above those of the choices. */
export function useGrantText(texts: string): (permission: string, grant: RoleGrant | null) => string {
  const { t } = useText();
  const textOf = useAttributeText();
  return (permission, grant) => {
    const details = Object.entries(grant?.attributes ?? {}).map(
      ([name, value]) => `${attributeName(t, name)}: ${textOf(permission, name, value)}`,
    );
    return `${t(`${texts}.${choiceOf(grant ?? undefined)}`)}${details.length > 0 ? ` (${details.join("; ")})` : ""}`;
  };
}
