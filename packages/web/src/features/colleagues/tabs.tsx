import type { ReactNode } from "react";
import { Tabs } from "@mantine/core";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { isOffered, useDeclared } from "#core/pages.ts";

/** What the job has of a colleague, and in tabs beside it what other features know. */
export function ColleagueTabs({ citizenId, children }: { readonly citizenId: number; readonly children: ReactNode }) {
  const { t } = useText();
  const { colleague } = useDeclared();
  const identity = useActiveIdentity();
  const offered = colleague.filter((one) => isOffered(one, identity));
  if (offered.length === 0) return children;
  return (
    <Tabs defaultValue="about" keepMounted={false}>
      <Tabs.List data-screen-only>
        <Tabs.Tab value="about">{t("colleagues.about")}</Tabs.Tab>
        {offered.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {t(label)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="about">{children}</Tabs.Panel>
      {offered.map(({ id, tab: One }) => (
        <Tabs.Panel key={id} value={id}>
          <One citizenId={citizenId} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
