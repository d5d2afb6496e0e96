import { useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import { tablet } from "#core/preferences.ts";
import classes from "./auth.module.css";

/** Links to the operators' legal notices; none in the game's tablet, which must not open external pages. */
export function LegalLinks() {
  const { t } = useText();
  const links = useClientConfig()?.links;
  if (tablet || links === undefined || (links.privacyPolicy === "" && links.imprint === "")) return null;
  const link = (href: string, text: string) =>
    href !== "" && (
      <a href={href} target="_blank" rel="noreferrer">
        {text}
      </a>
    );
  return (
    <div className={classes["legal"]}>
      {link(links.privacyPolicy, t("auth.legal.privacyPolicy"))}
      {link(links.imprint, t("auth.legal.imprint"))}
    </div>
  );
}
