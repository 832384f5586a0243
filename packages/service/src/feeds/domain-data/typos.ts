/**
 * Misspellings of the big providers that stand in public lists of disposable domains. Whoever types one made a
 * mistake; the mx check suggests the right spelling. Written by hand: one slip (a letter lost, doubled,
 * swapped or struck beside) away from the provider, or an ending that it does not have. `misspellings.ts` finds most
 * slips by rule; these are those that it does not reach, and those that curated sources list, too.
 */
export const TYPOS = `
  gmail.net gmail.org gmail.info gmail.fr gmail.it gmail.es gmail.ca gmail.in gmail.us gmail.eu gmail.co.uk gmail.com.br
  gmial.com gamil.com gmai.com gmaill.com gmal.com gmali.com gmaul.com gmil.com gnail.com gmaik.com gmail.co gmail.cm
  gmail.con gmail.om gmail.cim gmail.comm gmaol.com gmeil.com gmall.com gmsil.com gimail.com gemail.com gmailc.com
  ggmail.com gmaail.com gmaiil.com gmmail.com gmqil.com gmwil.com fmail.com hmail.com gail.com gmaio.com gmaip.com
  gmaiul.com gmaul.co gmaile.com gmailcom.com g-mail.com googlemail.co goglemail.com googelmail.com gmailo.com
  hotmial.com hotmal.com hotmai.com hotmali.com hotamil.com hotmaill.com hotmil.com hotmaul.com hotnail.com hotmsil.com
  hotmeil.com hotmaik.com hotmaiil.com homail.com hotmail.co hotmail.cm hotmail.con hotmail.om hitmail.com htmail.com
  hormail.com hotmall.com hptmail.com hoymail.com hotail.com hotmaol.com otmail.com hotmailc.com hotmaio.com
  yaho.com yahooo.com yhaoo.com yahho.com yhoo.com yaoo.com yahoo.co yahoo.cm yahoo.con yahoo.om uahoo.com yahoo.comm
  yshoo.com yahoi.com yajoo.com tahoo.com yohoo.com yaboo.com yahoomail.co ahoo.com yahool.com
  outlok.com outloo.com outllok.com outlock.com outloook.com otlook.com oulook.com outlool.com outlook.co outlook.cm
  outlook.con outlokk.com putlook.com outlookc.com outlooc.com
  iclod.com icoud.com iclould.com icloud.co icloud.cm icloud.con icould.com icluod.com iclud.com iclooud.com
  aol.co aol.con aoll.com live.co live.con
  protonmal.com protonmial.com protonmai.com comcast.con comcas.net comcst.net verizon.con
  gmx.con ymail.co yandex.con
`;
