import { useNavigate, useParams } from "@tanstack/react-router";
import { ScrollArea } from "#ui/scroll.tsx";
import { useText } from "#core/i18n.ts";
import { AccountSections } from "./account.tsx";
import classes from "./account.module.css";

/** The account page inside the application. */
export default function AccountPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const { section } = useParams({ strict: false }) as { section?: string };
  return (
    <ScrollArea className={classes["page"]} label={t("account.title")}>
      <div className={classes["inner"]}>
        <h1>{t("account.title")}</h1>
        <AccountSections section={section} onOpen={(path) => void navigate({ to: path })} />
      </div>
    </ScrollArea>
  );
}
