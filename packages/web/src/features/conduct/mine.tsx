import { useText } from "#core/i18n.ts";
import { PanelPage } from "#ui/panel.tsx";
import { OwnEntries } from "./own.tsx";

/** The conduct entries about the viewer. */
export default function OwnConductPage() {
  const { t } = useText();
  return (
    <PanelPage title={t("conduct.commands.mine")} lead={t("conduct.mine.lead")}>
      <OwnEntries />
    </PanelPage>
  );
}
