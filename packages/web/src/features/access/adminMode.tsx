import { Button } from "@mantine/core";
import { IconShieldBolt } from "@tabler/icons-react";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { openDialog } from "#features/frame/frame.api.ts";
import { EmptyState } from "#ui/states.tsx";

/** What this page needs admin mode for, and the way into it, which leads back here. */
export function AdminModeNeeded({ title, text, page = false }: { title: string; text: string; page?: boolean }) {
  const { t } = useText();
  const { account } = useActiveIdentity();
  return (
    <EmptyState
      icon={IconShieldBolt}
      page={page}
      title={title}
      text={account.mayJobAdmin ? text : t("access.adminMode.refused")}
      action={account.mayJobAdmin && <Button onClick={() => openDialog("admin")}>{t("access.adminMode.enter")}</Button>}
    />
  );
}
