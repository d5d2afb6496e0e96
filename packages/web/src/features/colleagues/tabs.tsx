import type { ReactNode } from "react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { Tabs } from "@mantine/core";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { isOffered, useDeclared } from "#core/pages.ts";

const ABOUT = "about";
const route = getRouteApi("/jobs/colleagues/$id");

interface TabsProps {
  readonly citizenId: number;
  readonly name: string;
  readonly children: ReactNode;
}

/** What the job has of a colleague, and in tabs beside it what other features know. */
export function ColleagueTabs({ citizenId, name, children }: TabsProps) {
  const { t } = useText();
  const { colleague } = useDeclared();
  const identity = useActiveIdentity();
  const { tab }: { readonly tab?: string } = route.useSearch();
  const navigate = useNavigate();
  const offered = colleague.filter((one) => isOffered(one, identity));
  if (offered.length === 0) return children;
  // An address may name a tab that this viewer does not get.
  const shown = offered.some(({ id }) => id === tab) ? (tab ?? ABOUT) : ABOUT;
  const show = (next: string | null) =>
    void navigate({
      to: ".",
      search: (before: Record<string, unknown>) => ({ ...before, tab: next === ABOUT ? undefined : (next ?? undefined) }),
      replace: true,
    });
  return (
    <Tabs value={shown} onChange={show} keepMounted={false}>
      <Tabs.List data-screen-only>
        <Tabs.Tab value={ABOUT}>{t("colleagues.about")}</Tabs.Tab>
        {offered.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {t(label)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={ABOUT}>{children}</Tabs.Panel>
      {offered.map(({ id, tab: One }) => (
        <Tabs.Panel key={id} value={id}>
          <One citizenId={citizenId} name={name} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
