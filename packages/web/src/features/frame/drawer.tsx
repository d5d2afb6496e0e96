import { Drawer } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import type { NavigationEntry } from "#core/pages.ts";
import { Navigation } from "./navigation.tsx";

/** The navigation of a narrow screen. */
export default function NavigationDrawer({ pages, onClose }: { pages: readonly NavigationEntry[]; onClose: () => void }) {
  const { t } = useText();
  return (
    <Drawer
      opened
      onClose={onClose}
      withCloseButton={false}
      size={260}
      padding={0}
      transitionProps={{ duration: 80 }}
      attributes={{ content: { "aria-label": t("web.frame.navigation") } }}
    >
      <Navigation pages={pages} onLeave={onClose} />
    </Drawer>
  );
}
