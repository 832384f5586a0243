/**
 * Domains that are somebody’s and are never corrected, however much they look like a slip: mail providers and access
 * networks, and companies and words whose spelling comes near a provider’s. Written by hand; a domain belongs here when
 * the rules would otherwise correct it, or might after a change of theirs (eval/domain-typo tells how such were found).
 */
const text = `
  mail.com email.com ymail.com gmx.com gmx.net gmx.de gmx.at gmx.ch gmx.us gmx.info gmx.org gmx.biz gmx.eu gmx.tm gmx.fr gmx.es gmx.it gmx.li
  email.it email.cz email.de email.ua email.ru email.su email.bg email.no email.cn email.ee email.pl email.ro email.lu email.ch
  mail.ru mail.de mail.ee mail.bg mail.be mail.dk mail.fr mail.pt mail.ua mail.by mail.kz mail.az mail.pl mail.ch mail.cz mail.at mail.gr mail.nl
  mail.org mail.us mail.ie mail.it mail.es mail.hu mail.ro mail.lt mail.lv mail.md mail.mn mail.am mail.tm mail.vu mail.cn mail.jp mail.co.uk
  imail.com imail.ru jmail.com kmail.com nmail.com wmail.com xmail.com xmail.net zmail.com zmail.ru amail.com cmail.com dmail.com omail.com
  pmail.com rmail.com smail.com umail.com qmail.com qmail.org vmail.me fmail.co.uk tmail.ws bmail.ru tmail.io emailn.de kmail.li
  gail.com gail.co.in grail.com gml.com gm.com gmd.com gmi.com gma.com gomail.com goemail.com gmaildrive.com gmailcom.net gmail.ru gmail.pl gmail.de google.com google.co.uk google.de googlegroups.com
  inbox.com inbox.ru inbox.lv inbox.lt inbox.eu inmail.com jail.com fail.com hail.com bail.com tail.com rail.com sail.com nail.com pail.com
  snail.com quail.com trail.com frail.com maine.com main.com mali.com amil.com mal.com maul.com mall.com malls.com mails.com mailer.com
  mailbox.org mailbox.com mailbox.co.za mailfence.com mailo.com mailnesia.org runbox.com startmail.com kolabnow.com countermail.com posteo.net posteo.at
  posteo.eu posteo.org tuta.com tuta.io tutamail.com tutanota.de tutanota.com keemail.me hey.com pm.me proton.me protonmail.ch proton.com
  protonmail.org proton.org photon.me protons.me hush.com hush.ai hushmail.me fastmail.fm fastmail.com fastmail.net fastmail.org fastmail.us
  fastmail.co.uk fastmail.in fastmail.de fastmail.cn fastmail.to sent.com zoho.com zoho.eu zoho.in zohomail.com zohomail.eu zoo.com zohocorp.com
  yandex.com yandex.ru yandex.ua yandex.by yandex.kz yandex.net yandex.eu ya.ru narod.ru rambler.ru ro.ru lenta.ru myrambler.ru autorambler.ru
  bk.ru list.ru internet.ru ukr.net i.ua meta.ua bigmir.net ngs.ru pochta.ru qip.ru hotbox.ru land.ru nextmail.ru e-mail.ru e-mail.ua vk.com ok.ru
  yahoo.net yahoo-inc.com yahooinc.com yahoogroups.com yahoomail.com myyahoo.com rocketmail.com yahoo.org wahoo.com wahoofitness.com yazoo.com
  yahya.com yoho.com yoo.com yahu.com taboo.com tahoe.com ahoy.com kazoo.com yahara.com
  hotmail.gr hotmail.rs hotmail.sg hotmail.ph hotmail.my hotmail.ch hotmail.ro hotmail.hu hotmail.cz hotmail.sk hotmail.lt hotmail.lv hotmail.ru
  hotmail.net hotmail.org hostmail.com notmail.com hotel.com hotels.com hotelmail.com shotmail.com hotmaps.com homemail.com
   postmail.com hotspot.com
  live.ca live.cn live.ru live.jp live.hk live.it live.se live.no live.dk live.fi live.be live.at live.ie live.in live.cl live.ph live.com.pt live.com.my live.com.mx
  live.com.ar live.com.sg live.com.au live.com.ph live.com.pk live.com.pe live.co.za live.co.kr live.co.uk live.co live.org live.net live.tv live.eu live.us
  love.com like.com life.com line.com lime.com give.com five.com dive.com hive.com jive.com olive.com alive.com lives.com liver.com lived.com liv.com
  love.fr vie.com liveu.com livex.com vile.com veil.com evil.com levi.com live.xyz
  outlook.sa outlook.jp outlook.kr outlook.lv outlook.my outlook.ph outlook.sg outlook.ie outlook.org outlook.net outlooks.com outlookindia.com outlooktraveller.com
  outlaw.com outlet.com outloud.com overlook.com lookout.com onlook.com autolook.com
  cloud.com clouds.com icloud.net ecloud.com aloud.com icloudy.com gcloud.com xcloud.com mycloud.com incloud.com
  me.com mac.com apple.com privaterelay.appleid.com msn.net man.com men.com mon.com msg.com msc.com msnbc.com nsn.com
  aim.com aol.net aol.org aol.jp aol.pl aon.at aon.com ao.com all.com ail.com aot.com ool.com abl.com al.com netscape.net cs.com
  compuserve.com compuserve.de netscape.com wow.com games.com love.com verizon.com verizonwireless.com verizonmail.com horizon.net horizon.com comcast.com comcast.org comcastbiz.net
  xfinity.com concast.com broadcast.net combat.net contrast.net newscast.net att.com att.org att.de at.net ntt.net atnt.net atn.net ats.net act.net ait.net ant.net art.net
  sbc.com sbcglobal.org bellsouth.com bellsouth.org southbell.net bell.ca bell.com bellmts.net bellaliant.net bellnet.ca belle.net ball.net bill.net tell.net well.net belly.net
  cox.com coxmail.com cox.org fox.net box.net cos.net coax.net cod.net coop.net con.net cov.net charter.com charter.org chapter.net carter.net charters.net chart.net charted.net
  spectrum.net spectrum.com twc.com rr.com roadrunner.net earthlink.com earthlinks.net mindspring.net optimum.net optonline.com online.net windstream.com wind.net
  centurylink.com centurytel.net century.net embarq.com embarqmail.net frontiernet.net frontier.net frontiers.com cableone.com sparklight.com suddenlink.com tds.net wowway.com
  netzero.com juno.com june.com junos.com june.net peoplepc.com usa.com usa.net hughes.net toast.net sonic.net rcn.com knology.net zoominternet.net metrocast.net midco.net
  shaw.com shaw.net show.ca share.ca saw.ca rogers.ca roger.com rodgers.com rogues.com rodger.com rogersmedia.com telus.com telusplanet.net sympatico.com videotron.com videotron.net cogeco.ca cogeco.net eastlink.ca sasktel.net mts.net nb.sympatico.ca primus.ca teksavvy.com vl.videotron.ca
  btinternet.co.uk bt.com btconnect.com btopenworld.com sky.net sky.de sky.it skype.com ski.com sly.com spy.com say.com slay.com virgin.net virgin.com virginmedia.co.uk
  ntlworld.co.uk ntl.com talktalk.co.uk talktalk.com talk21.com tiscali.fr tiscali.de tiscali.com tesco.net plus.com plus.net plusnet.co.uk demon.co.uk o2.co.uk o2.pl o2.de o2mail.de
  blueyonder.com freeserve.co.uk lineone.net onetel.com supanet.com madasafish.com ee.co.uk three.co.uk zen.co.uk
  orange.com orange.net orange.co.uk orange.pl orange.ro orange.es orange.be orange.sk orange.jo oranges.fr grange.fr range.fr arrange.fr change.fr free.com free.org freeuk.com freenet.co.uk
  free.net fred.fr fee.fr tree.fr freee.com sfr.fr sfr.net neuf.com neuf.org 9online.fr cegetel.net bbox.fr aliceadsl.fr club-internet.com laposte.fr la-poste.fr poste.fr laposte.com
  voila.fr wanadoo.es wanadoo.nl wanadoo.com gawab.com caramail.com numericable.com noos.fr dbmail.com
  web.com web.net web.org web.fr web.nl we.de wed.de webb.de wien.de t-online.com t-online.hu freenet.com freenet.net freenet.org arcor.com arcor.net arbor.de accor.de accor.com
  online.de onlinehome.de 1und1.de 1and1.com ionos.de ionos.com vodafone.de vodafone.it vodafone.com kabelmail.de unitybox.de unity-mail.de ewetel.net ewe.net netcologne.de osnanet.de htp-tel.de
  versatel.de mnet-online.de m-net.de gmxpro.de alice-dsl.net alice-dsl.de alice.de alice.com alice.nl alive.it slice.it hosteurope.de strato.de
  libero.com libera.it liberi.it liber.it libro.it libreria.it virgilio.com tin.it tim.it tim.com inwind.it iol.it iol.pt iol.ie blu.it teletu.it aruba.it pec.it legalmail.it fastweb.it
  poste.it virgil.it supereva.it kataweb.it katamail.com jumpy.it
  telefonica.es telefonica.com terra.com terra.es terra.cl terra.org tera.com terras.com ono.com ya.com movistar.es euskaltel.net sapo.pt clix.pt netcabo.pt portugalmail.pt vodafone.pt
  uol.com uol.com.ar uolinc.com bol.com bol.com.br ig.com.br oi.com.br r7.com globomail.com globo.tv globe.com glob.com globoi.com zipmail.com.br superig.com.br
  pop.com.br itelefonica.com.br brturbo.com.br
  telenet.com telnet.be skynet.com skynet.nl proximus.com scarlet.be pandora.be belgacom.net voo.be ziggo.com zigo.nl kpn.com kpnmail.com kpnplanet.nl planet.com planet.be planets.nl plane.nl
  plant.nl home.com home.se home.be homes.nl home.pl hetnet.com het.nl xs4all.com upcmail.nl casema.nl chello.nl chello.at chello.cz chello.hu chello.pl quicknet.nl tele2.nl solcon.nl caiway.nl
  bluewin.com bluemail.ch blue.ch sunrise.ch hispeed.com swissonline.ch green.ch swisscom.com swisscom.ch tele2.se tele2.at telia.se telia.fi telia.net comhem.se bredband.net spray.se
  glocalnet.net bahnhof.se online.no broadpark.no getmail.no frisurf.no lyse.net telenor.com tdcadsl.dk tdc.dk stofanet.dk jubii.dk webspeed.dk mail.tele.dk youmail.dk
  kolumbus.fi luukku.com suomi24.fi saunalahti.fi elisanet.fi netti.fi pp.inet.fi welho.com dnainternet.net
  onet.com onet.eu onet.com.pl op.pl vp.pl wp.pl poczta.fm poczta.onet.pl gazeta.com tlen.pl interia.com interia.fm buziaczek.pl autograf.pl amorki.pl go2.pl spoko.pl neostrada.pl
  seznam.com post.cz centrum.com volny.cz atlas.cz quick.cz tiscali.cz azet.sk zoznam.sk post.sk pobox.sk stonline.sk atlas.sk orangemail.sk
  freemail.com freemail.de freemail.it freemail.nl freemail.gr citromail.com vipmail.hu indamail.hu t-online.co.hu upcmail.hu abv.bg dir.bg mail.bg gbg.bg
  pathfinder.gr otenet.gr forthnet.gr in.gr hol.gr windowslive.com passport.com microsoft.com office.com office365.com walla.com walla.co.il netvision.net.il 012.net.il zahav.net.il bezeqint.net
  mynet.com superonline.com ttmail.com turk.net turkcell.com.tr
  qq.com vip.qq.com qq.cn foxmail.cn 163.com 126.com yeah.net 139.com 189.cn 188.com wo.cn 21cn.com sina.com sina.cn sina.com.cn vip.sina.com sohu.com sogou.com tom.com aliyun.com alibaba.com
  naver.net never.com navel.com raver.com waver.com naver.jp daum.com dam.net daun.net hanmail.com hanmir.com nate.com korea.com empal.com paran.com dreamwiz.com chol.com lycos.co.kr kakao.com
  nifty.ne.jp fifty.com nifty.org docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp softbank.jp i.softbank.jp biglobe.ne.jp ocn.ne.jp so-net.ne.jp plala.or.jp excite.co.jp
  infoseek.jp goo.jp goo.ne.jp ybb.ne.jp vodafone.ne.jp rakuten.jp livedoor.com ymail.ne.jp
  rediff.com rediffmailpro.com sify.com indiatimes.com in.com vsnl.net vsnl.com bsnl.in bsnl.co.in airtelmail.in sancharnet.in dataone.in
  bigpond.com.au bigpond.net optus.com.au optusnet.com iinet.com.au tpg.com.au tpg.com internode.on.net dodo.com.au westnet.com.au adam.com.au ozemail.com.au aapt.net.au netspace.net.au
  xtra.com extra.co.nz xtra.nz slingshot.co.nz orcon.net.nz paradise.net.nz clear.net.nz ihug.co.nz vodafone.co.nz inspire.net.nz
  lycos.com lycos.de lycos.it lycos.nl lycos.co.uk excite.com excite.it altavista.com bigfoot.com iname.com lavabit.com mail2world.com myway.com care2.com postmaster.co.uk
  techemail.com engineer.com doctor.com consultant.com europe.com asia.com dr.com writeme.com iamwaiting.com cheerful.com linuxmail.org myself.com
  musician.org contractor.net accountant.com activist.com artlover.com bartender.net graphic-designer.com workmail.com hotpop.com juno.net prodigy.net prodigy.net.mx swbell.net
  flash.net ameritech.net pacbell.net nvbell.net snet.net wans.net worldnet.att.net mchsi.com mediacombb.net insightbb.com bresnan.net adelphia.net cablespeed.com ptd.net epix.net
  sirius.com sina.net linkedin.com facebook.com fb.com amazon.com instagram.com twitter.com x.com duck.com mozmail.com simplelogin.com simplelogin.co slmail.me addy.io anonaddy.com
  gandi.net ovh.net ovh.fr infomaniak.com ik.me migadu.com purelymail.com riseup.net disroot.org autistici.org cock.li vivaldi.net opera.com operamail.com opmail.com mailchimp.com mailgun.com
  carter.com charger.com charger.net chatter.com chatter.net rovers.com ragers.com nave.com navar.com nitty.com niffy.com gobo.com globi.com globy.com talus.net telos.net teles.net tela.com
  bel.net arco.de ardor.de oranger.fr liberto.it fronter.com isna.com mali.ru ynnmail.com
  gall.com mil.ru junk.com jun.com zho.com zobo.com skyy.com lave.com leve.com lice.com lie.com livre.com locos.com excited.com exciter.com excites.com googled.com googles.com mai.ru mal.ru maik.ru maul.ru aft.net atf.net atr.net agt.net
  cxo.net tat.net ewb.de amc.com mca.com goole.com goggle.com
  tmail.com inet.net.au gotmail.com hanmail2.net earthling.net y7mail.com roadrunners.com foodmail.com bootmail.com tellus.net mali.de ramble.ru
  sendgrid.net gmailnator.com mindsprings.com yandi.com yandy.com laposta.nl skynet.org skyline.be hotlook.com verizon.org verizon.co bloomberg.net
  laporte.net lacoste.net bluefin.ch bluewind.ch yoohoo.com naber.com cello.nl cello.at shaws.ca planit.nl ziggy.nl googly.com
  juni.com jumo.com livi.com liva.com proto.me nifti.com gloo.com talia.com telio.com tella.com ucloud.com bitconnect.com mall.ru
  ibox.com ibox.ru ibox.lv zoo.eu zoo.in simpatico.ca terry.es tetra.es tetra.com.br terre.es tera.es poste.de poste.net postel.de
  prontomail.com postel.net netscope.net alife.it frontiir.com telefonia.net
`;

export const REAL_DOMAINS: readonly string[] = text.trim().split(/\s+/);
