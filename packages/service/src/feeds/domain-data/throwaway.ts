/**
 * Throwaway services’ own front doors, written by hand, so that the well-known ones do not depend on any
 * source. Domains under which addresses were or are handed out to anybody without an account.
 */
export const THROWAWAY = `
  mailinator.com mailinator.net mailinator2.com guerrillamail.com guerrillamail.net guerrillamail.org guerrillamail.biz
  guerrillamail.de guerrillamail.info guerrillamailblock.com grr.la sharklasers.com pokemail.net spam4.me
  yopmail.com yopmail.fr yopmail.net cool.fr.nf jetable.fr.nf nospam.ze.tc nomail.xl.cx mega.zik.dj speed.1s.fr
  courriel.fr.nf moncourrier.fr.nf monemail.fr.nf monmail.fr.nf
  10minutemail.com 10minutemail.net 10minutemail.org 10minemail.com 20minutemail.com
  temp-mail.org temp-mail.io tempmail.com tempmail.net tempmail.plus mailto.plus fexpost.com fexbox.org mailbox.in.ua
  rover.info chitthi.in fextemp.com any.pink merepost.com
  trashmail.com trashmail.de trashmail.net trash-mail.com wegwerfmail.de wegwerfmail.net wegwerfmail.org
  discard.email discardmail.com discardmail.de spambog.com spambog.de spambog.ru byom.de
  maildrop.cc mailnesia.com dispostable.com mailcatch.com mailsac.com harakirimail.com spamgourmet.com
  throwawaymail.com getnada.com inboxes.com moakt.com mohmal.com emailondeck.com minuteinbox.com tempr.email
  fakeinbox.com fakemail.net fakemailgenerator.com tempail.com dropmail.me emltmp.com mail.tm mail.gw
  1secmail.com 1secmail.org 1secmail.net emailfake.com email-fake.com generator.email anonbox.net incognitomail.com
  mytemp.email mintemail.com meltmail.com jetable.org burnermail.io tempinbox.com mailexpire.com
  getairmail.com crazymailing.com mailpoof.com tmailor.com tempmailo.com inboxkitten.com tempmail.lol
  armyspy.com cuvox.de dayrep.com einrot.com fleckens.hu gustr.com jourrapide.com rhyta.com superrito.com teleworm.us
`;
