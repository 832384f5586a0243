/**
 * Mail hosts, by name or by a parent of the name, written by hand. An entry covers all names under it;
 * the most specific entry wins.
 */

/** Run by throwaway services for the domains that they burn through. */
export const THROWAWAY_MAIL_HOSTS = `
  # temp-mail.org and its apps
  wabblywabble.com wallywatts.com temp-mail.org temp-mail.io
  # 10minutemail, Mailinator, Guerrilla Mail, YOPmail, mail.tm and mail.gw
  10minutemail.com 10minutemail.net mailinator.com guerrillamail.com guerrillamail.net grr.la sharklasers.com
  yopmail.com yopmail.fr mail.tm mail.gw
  # emailfake and generator.email, 1secmail, Moakt, Mohmal, Nada and Inboxes
  emailfake.com generator.email email-fake.com 1secmail.com 1secmail.org 1secmail.net moakt.com mohmal.com
  getnada.com inboxes.com
  # TrashMail, discard.email, byom.de, Maildrop, Mailnesia, Dispostable, Mailcatch, Mailsac, Harakirimail, Spamgourmet
  trashmail.com trashmail.de trash-mail.com wegwerfmail.de discard.email byom.de maildrop.cc mailnesia.com
  dispostable.com mailcatch.com mailsac.com harakirimail.com spamgourmet.com
  # tempmail.plus and mailto.plus, dropmail.me, emailondeck, minuteinbox, tempr.email and others. cock.li is left out:
  # it is a mail provider, however odd its domains
  tempmail.plus mailto.plus dropmail.me emailondeck.com minuteinbox.com tempr.email fakemail.net fakemailgenerator.com
  tempail.com tempmailo.com tempmail.dev tempmail.net tempmail.ninja tmailor.com anonbox.net
  crazymailing.com mytemp.email tempinbox.com throwawaymail.com smailpro.com emailtemp.org luxusmail.org
  getairmail.com muellmail.com spambog.com spambox.xyz incognitomail.com meltmail.com jetable.org
  haltospam.com fakeinbox.com mailpoof.com tempmailaddress.com disposablemail.com priyo.email
  segamail.com linshiyouxiang.net chacuo.net bccto.me 027168.com snapmail.cc
  mail-temp.com mailtemp.net tempmail.lol inboxkitten.com kuku.lu
`;

/** Where companies pay for mailboxes: a domain hosted there has somebody who pays for it. */
export const BUSINESS_MAIL_HOSTS = `
  # Google Workspace, Microsoft 365, Zoho, Proton, Fastmail, iCloud custom domains
  aspmx.l.google.com google.com googlemail.com psmtp.com
  mail.protection.outlook.com mx.microsoft olc.protection.outlook.com outlook.com
  zoho.com zoho.eu zoho.in zoho.com.au zoho.jp zoho.com.cn zohomail.com zohocloud.ca zohomail.sa zohomail.eu
  protonmail.ch messagingengine.com mail.icloud.com
  # Filters that companies put in front of their own mail
  mimecast.com mimecast.co.za mimecast-offshore.com pphosted.com ppe-hosted.com gpphosted.com ppsmtp.net iphmx.com
  barracudanetworks.com messagelabs.com trendmicro.com trendmicro.eu tmes.trendmicro.com sophos.com reflexion.net
  hornetsecurity.com antispameurope.com spamexperts.com antispamcloud.com mailcontrol.com fireeyecloud.com fortimail.com
  fortimailcloud.com mailspamprotection.com cloudfilter.net emailsecurity.checkpoint.com perception-point.io
  securence.com mxthunder.com mxthunder.net mailanyone.net retarus.com retarus.de eleven.de expurgate.net
  expurgate.de cloud-security.net nospamproxy.com vadesecure.com mailinblack.com altospam.com oxsus-vadesecure.net
  proofpoint.com cisco.com forcepoint.net zerospam.ca solarwinds.com
  # Hosted mailboxes
  emailsrvr.com rackspace.com intermedia.net serverdata.net exchangelabs.com mailbox.org mailfence.com
  posteo.de tutanota.de tuta.com runbox.com kolabnow.com startmail.com migadu.com pobox.com polarismail.com
  hey.com mxhichina.com qiye.163.com qiye163.com icoremail.net
  naver.com daum.net works.naver.com worksmobile.com dooray.com kakao.com
  awsapps.com
`;

/**
 * Anybody’s mail passes here, good and bad: forwarders, registrars’ and web hosts’ default hosts, sending
 * services’ inbound hosts. No evidence in either direction.
 */
export const SHARED_MAIL_HOSTS = `
  # Forwarders
  mx.cloudflare.net cloudflare.net improvmx.com forwardemail.net mailgun.org sendgrid.net amazonaws.com
  simplelogin.co anonaddy.me addy.io duck.com mozmail.com mailforward.io forwardmx.net forwardmx.io
  mxroute.com mxlogin.com mxlogin.net purelymail.com postmarkapp.com mandrillapp.com sparkpostmail.com mailjet.com
  elasticemail.com brevo.com sendinblue.com mailersend.net resend.com zone.eu hostedemail.com
  easydns.com zoneedit.com dnsmadeeasy.com dnsexit.com cloudns.net dynu.com no-ip.com duocircle.com
  mailhop.org rollernet.us junkemailfilter.com
  # Free or near to free for any domain
  yandex.net yandex.ru mail.ru exmail.qq.com aliyun.com netease.com titan.email one.com secureserver.net
  # Registrars and web hosts
  registrar-servers.com privateemail.com web-hosting.com name-services.com hover.com porkbun.com spaceship.net spacemail.com
  name.com namesilo.com namebright.com dynadot.com gandi.net mail.gandi.net domaincontrol.com godaddy.com
  ionos.com ionos.de ionos.co.uk ionos.fr ionos.es ionos.it 1and1.com 1and1.co.uk kundenserver.de perfora.net
  ovh.net ovh.ca mail.ovh.net strato.de rzone.de hosteurope.de all-inkl.com kasserver.com hetzner.com
  your-server.de netcup.net udag.de domainfactory.de ispgateway.de df.eu
  hostinger.com hostingermail.com titan-hostinger.com bluehost.com hostgator.com dreamhost.com siteground.net
  siteground.eu a2hosting.com inmotionhosting.com hostmonster.com justhost.com websitewelcome.com unifiedlayer.com
  networksolutions.com netsolmail.net register.com web.com domain.com ipage.com fatcow.com powweb.com
  mailchannels.net infomaniak.ch infomaniak.com hostpoint.ch loopia.se simply.com binero.se
  transip.email transip.nl transip.eu antagonist.nl mijndomein.nl hostnet.nl combell.com
  aruba.it arubabusiness.it register.it seeweb.it home.pl nazwa.pl az.pl cyberfolks.pl wedos.net forpsi.com active24.cz
  beget.com beget.ru timeweb.ru reg.ru nic.ru hosting.reg.ru jino.ru sweb.ru masterhost.ru
  lolipop.jp sakura.ne.jp xserver.jp heteml.jp onamae.com value-domain.com muumuu-domain.com
  locaweb.com.br kinghost.net uolhost.com.br hostgator.com.br umbler.com
  tucows.com opensrs.net hostedemail.com afrihost.co.za hostafrica.com xneelo.com
  crazydomains.com ventraip.com.au melbourneit.com.au
  wixemails.com squarespace-mail.com squarespace.com shopify.com wordpress.com automattic.com weebly.com
  cpanel.net plesk.com directadmin.com
  # Parking
  h-email.net mailerhost.net above.com sedoparking.com parkingcrew.net bodis.com mx-parking.com nullmx.domainmanager.com
`;
