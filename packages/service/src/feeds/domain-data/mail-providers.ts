/**
 * Mail providers and access providers world-wide whose mailboxes people keep, written by hand. None of them is
 * ever disposable, whatever a source says; an entry covers its subdomains (Fastmail’s subdomain addressing).
 */
export const MAIL_PROVIDERS = `
  # Google, Microsoft
  gmail.com googlemail.com google.com
  outlook.com hotmail.com live.com msn.com passport.com windowslive.com microsoft.com onmicrosoft.com
  outlook.at outlook.be outlook.cl outlook.co.id outlook.co.il outlook.co.nz outlook.co.th outlook.com.ar outlook.com.au
  outlook.com.br outlook.com.gr outlook.com.pe outlook.com.tr outlook.com.vn outlook.cz outlook.de outlook.dk outlook.es
  outlook.fr outlook.hu outlook.ie outlook.in outlook.it outlook.jp outlook.kr outlook.lv outlook.my outlook.ph outlook.pt
  outlook.sa outlook.sg outlook.sk
  hotmail.at hotmail.be hotmail.ca hotmail.ch hotmail.cl hotmail.co.id hotmail.co.il hotmail.co.jp hotmail.co.kr hotmail.co.nz
  hotmail.co.th hotmail.co.uk hotmail.co.za hotmail.com.ar hotmail.com.au hotmail.com.br hotmail.com.hk hotmail.com.tr
  hotmail.com.tw hotmail.com.vn hotmail.cz hotmail.de hotmail.dk hotmail.es hotmail.fi hotmail.fr hotmail.gr hotmail.hu
  hotmail.it hotmail.lt hotmail.lv hotmail.my hotmail.nl hotmail.no hotmail.ph hotmail.rs hotmail.se hotmail.sg hotmail.sk
  live.at live.be live.ca live.ch live.cl live.cn live.co.in live.co.kr live.co.uk live.co.za live.com.ar live.com.au live.com.mx
  live.com.my live.com.ph live.com.pk live.com.pt live.com.sg live.de live.dk live.fi live.fr live.hk live.ie live.in live.it
  live.jp live.nl live.no live.ph live.ru live.se livemail.tw msn.co.uk
  # Yahoo, AOL, Verizon
  yahoo.com ymail.com rocketmail.com myyahoo.com yahoomail.com yahoo.ca yahoo.cn yahoo.co.id yahoo.co.in yahoo.co.jp yahoo.co.kr
  yahoo.co.nz yahoo.co.th yahoo.co.uk yahoo.co.za yahoo.com.ar yahoo.com.au yahoo.com.br yahoo.com.cn yahoo.com.co yahoo.com.hk
  yahoo.com.mx yahoo.com.my yahoo.com.pe yahoo.com.ph yahoo.com.sg yahoo.com.tr yahoo.com.tw yahoo.com.ve yahoo.com.vn
  yahoo.at yahoo.be yahoo.bg yahoo.ch yahoo.cl yahoo.cz yahoo.de yahoo.dk yahoo.ee yahoo.es yahoo.fi yahoo.fr yahoo.gr yahoo.hr
  yahoo.hu yahoo.ie yahoo.in yahoo.it yahoo.lt yahoo.lv yahoo.nl yahoo.no yahoo.pl yahoo.pt yahoo.ro yahoo.se yahoo.si yahoo.sk
  ybb.ne.jp kimo.com geocities.com y7mail.com
  aol.com aim.com aol.at aol.co.nz aol.co.uk aol.com.ar aol.com.au aol.com.br aol.com.co aol.com.mx aol.de aol.es aol.fr aol.in
  aol.it aol.jp aol.nl aol.pl aol.se aolmail.com love.com games.com wow.com ygm.com netscape.com netscape.net compuserve.com cs.com
  verizon.net verizonmail.com bellatlantic.net gte.net vzwmail.net vtext.com
  # Apple, Proton, Tuta, Fastmail and its family, Zoho, HEY
  icloud.com me.com mac.com apple.com
  proton.me protonmail.com protonmail.ch pm.me
  tuta.com tuta.io tutanota.com tutanota.de tutamail.com keemail.me
  fastmail.com fastmail.fm fastmail.cn fastmail.co.uk fastmail.com.au fastmail.de fastmail.es fastmail.fr fastmail.im fastmail.in
  fastmail.jp fastmail.mx fastmail.net fastmail.nl fastmail.org fastmail.se fastmail.to fastmail.tw fastmail.uk fastmail.us
  123mail.org 150mail.com 150ml.com 16mail.com 2-mail.com 4email.net 50mail.com airpost.net allmail.net bestmail.us cluemail.com
  elitemail.org emailcorner.net emailengine.net emailengine.org emailgroups.net emailplus.org emailuser.net eml.cc f-m.fm
  fast-email.com fast-mail.org fastem.com fastemail.us fastemailer.com fastest.cc fastimap.com fastmailbox.net fastmessaging.com
  fea.st fmail.co.uk fmailbox.com fmgirl.com fmguy.com ftml.net h-mail.us hailmail.net imap-mail.com imap.cc imapmail.org
  inoutbox.com internet-e-mail.com internet-mail.org internetemails.net internetmailing.net jetemail.net justemail.net
  letterboxes.org mail-central.com mail-page.com mailandftp.com mailas.com mailbolt.com mailc.net mailcan.com mailforce.net
  mailftp.com mailhaven.com mailingaddress.org mailite.com mailmight.com mailnew.com mailsent.net mailservice.ms mailup.net
  mailworks.org ml1.net mm.st myfastmail.com mymacmail.com nospammail.net ownmail.net petml.com postinbox.com postpro.net
  proinbox.com promessage.com realemail.net reallyfast.biz reallyfast.info rushpost.com sent.as sent.at sent.com speedpost.net
  speedymail.org ssl-mail.com swift-mail.com the-fastest.net the-quickest.com theinternetemail.com veryfast.biz veryspeedy.net
  warpmail.net xsmail.com yepmail.net your-mail.com messagingengine.com
  zoho.com zohomail.com zohomail.eu zohomail.in zoho.eu zoho.in hey.com
  # GMX, web.de, mail.com and the domains that mail.com hands out
  gmx.com gmx.net gmx.de gmx.at gmx.ch gmx.li gmx.us gmx.co.uk gmx.fr gmx.es gmx.info gmx.org gmx.eu gmx.biz gmx.tm gmx.email
  web.de email.de mail.com caramail.com caramail.fr freenet.de freenetmail.de
  accountant.com activist.com adexec.com africamail.com aircraftmail.com allergist.com alumni.com alumnidirector.com angelic.com
  appraiser.net archaeologist.com arcticmail.com artlover.com asia.com asia-mail.com atheist.com auctioneer.net australiamail.com
  bartender.net bellair.net berlin.com bikerider.com birdlover.com blader.com boardermail.com brazilmail.com brew-master.com
  brew-meister.com bsdmail.com californiamail.com cash4u.com catlover.com cheerful.com chef.net chemist.com chinamail.com clerk.com
  cliffhanger.com clubmember.org collector.org columnist.com comic.com computer4u.com consultant.com contractor.net coolsite.net
  counsellor.com cutey.com cyber-wizard.com cyberdude.com cybergal.com cyberservices.com dallasmail.com dbzmail.com
  deliveryman.com diplomats.com disciples.com discofan.com doctor.com doglover.com doramail.com dr.com dublin.com dutchmail.com
  elvisfan.com email.com engineer.com englandmail.com europe.com europemail.com execs.com fastservice.com feelings.com
  financier.com fireman.net galaxyhit.com gardener.com geologist.com germanymail.com graduate.org graphic-designer.com
  greenmail.net groupmail.com hackermail.com hairdresser.net hilarious.com hiphopfan.com homemail.com hot-shot.com housemail.com
  humanoid.net hushmail.com iname.com innocent.com inorbit.com instruction.com instructor.net insurer.com irelandmail.com
  israelmail.com italymail.com job4u.com journalist.com keromail.com kissfans.com kittymail.com koreamail.com lawyer.com
  legislator.com linuxmail.org lobbyist.com london.com lovecat.com madonnafan.com madrid.com mail-me.com marchmail.com
  metalfan.com mexicomail.com mindless.com minister.com moscowmail.com munich.com musician.org muslim.com myself.com net-shopping.com
  ninfan.com nonpartisan.com null.net nycmail.com optician.com orthodontist.net pacific-ocean.com pacificwest.com
  pediatrician.com petlover.com photographer.net physicist.net planetmail.com planetmail.net polandmail.com politician.com
  post.com presidency.com priest.com programmer.net protestant.com publicist.com qualityservice.com radiologist.net ravemail.com
  realtyagent.com reborn.com reggaefan.com registerednurses.com reincarnate.com religious.com repairman.com
  representative.com rescueteam.com rocketship.com rome.com safrica.com saintly.com salesperson.net samerica.com sanfranmail.com
  scientist.com scotlandmail.com secretary.net snakebite.com socialworker.net sociologist.com solution4u.com songwriter.net
  spainmail.com surgical.net swedenmail.com swissmail.com teachers.org tech-center.com techie.com technologist.com
  theplate.com therapist.net toke.com toothfairy.com torontomail.com tvstar.com umpire.com usa.com uymail.com webname.com
  worker.com workmail.com writeme.com acdcfan.com kissfans.com
  # Privacy-minded and small independent providers
  hush.com hush.ai hushmail.me mac.hush.com mailfence.com startmail.com runbox.com runbox.no posteo.de posteo.net posteo.org posteo.at
  posteo.ch posteo.eu posteo.us mailbox.org secure.mailbox.org disroot.org riseup.net autistici.org inventati.org kolabnow.com
  mykolab.com countermail.com ctemplar.com criptext.com skiff.com thexyz.com safe-mail.net safe-mail.com vfemail.net offensivelytolerable.com
  cock.li airmail.cc firemail.cc 420blaze.it cumallover.me aaathats3as.com national.shitposting.agency tfwno.gf waifu.club rape.lol
  horsefucker.org goat.si nuke.africa nigge.rs dicksinmyan.us loves.dicksinhisan.us redchan.it cocaine.ninja getbackinthe.kitchen
  memeware.net wants.dicksinhisan.us hitler.rocks
  atomicmail.io murena.io e.email ecloud.global lavabit.com neomailbox.com inbox.com inbox.lv inbox.eu mail.ee
  migadu.com purelymail.com mxroute.com polarismail.com pobox.com pobox.sk pobox.net topicbox.com onmail.com edison.tech sonic.net
  teknik.io snopyta.org danwin1210.de dnmx.org elude.in tilde.club sdf.org lists.sdf.org envs.net systemli.org so36.net immerda.ch
  aktivix.org espiv.net nadir.org boum.org mailpile.is soverin.net ik.me ikmail.com infomaniak.com etik.com
  vivaldi.net opera.com operamail.com myopera.com excite.com lycos.com mail2world.com bigfoot.com email.it
  rediffmail.com rediff.com sify.com indiatimes.com in.com vsnl.com vsnl.net bsnl.in bsnl.co.in mtnl.net.in airtelmail.com
  eclipso.de eclipso.eu eclipso.email eclipso.at eclipso.ch eclipso.es eclipso.fr eclipso.be eclipso.it eclipso.nl eclipso.me
  mail.de mailo.com mailo.eu netcourrier.com net-c.com net-c.fr net-c.be net-c.ca net-c.cat net-c.es net-c.it net-c.lu net-c.nl net-c.pl
  lilo.org laposte.net laposte.fr ouvaton.org zaclys.net zaclys.com no-log.org
  # Webmail of earlier years whose addresses live on
  wanadoo.com onet.com daum.com mails.com inmail.com
  animail.net coolmail.com deal-maker.com dynamitemail.com edmail.com ehmail.com email.org fastermail.com fnmail.com mantramail.com
  moose-mail.com movemail.com nameplanet.com qmail.com snail-mail.net uaemail.com unomail.com uomail.com vjmail.com whale-mail.com
  xmail.com yyhmail.com webcity.ca sweetville.net tko.co.kr nuo.co.kr lko.co.kr 123.com 8848.net 2911.net yifan.net postafree.com
  # Germany, Austria, Switzerland
  t-online.de magenta.de arcor.de vodafone.de vodafonemail.de kabelmail.de unitybox.de o2mail.de o2online.de alice-dsl.net alice.de
  1und1.de online.de onlinehome.de ewe.net ewetel.net netcologne.de nefkom.net m-net.de mnet-mail.de mnet-online.de versanet.de osnanet.de
  htp-tel.de kabelbw.de genion.de lycos.de firemail.de firemail.eu firemail.net smart-mail.de smart-mail.info directbox.com directbox.de
  emailn.de abwesend.de overmail.de addcom.de tiscali.de planet-interkom.de gmx.home.de home.de vollbio.de gmx-topmail.de
  mein.gmx freemail.de ok.de uni.de fn.de nexgo.de surfeu.de talknet.de wtnet.de inode.at aon.at chello.at utanet.at liwest.at kabsi.at
  a1.net drei.at eunet.at tele2.at sms.at vienna.at salzburg-online.at tirol.com
  bluewin.ch bluemail.ch hispeed.ch sunrise.ch swissonline.ch green.ch freesurf.ch tic.ch quickline.ch vtxmail.ch romandie.com
  # France, Benelux
  orange.fr wanadoo.fr free.fr sfr.fr neuf.fr bbox.fr bouyguestelecom.fr club-internet.fr 9online.fr cegetel.net noos.fr numericable.fr
  numericable.com aliceadsl.fr libertysurf.fr tiscali.fr voila.fr lycos.fr online.fr nordnet.fr modulonet.fr evc.net dbmail.com infonie.fr
  gmx.fr caramail.com hotmail.fr aol.fr mailoo.org
  telenet.be skynet.be proximus.be belgacom.net scarlet.be voo.be base.be tvcablenet.be edpnet.be brutele.be pandora.be
  ziggo.nl kpnmail.nl kpnplanet.nl planet.nl hetnet.nl home.nl casema.nl chello.nl upcmail.nl xs4all.nl quicknet.nl tele2.nl tiscali.nl
  zonnet.nl online.nl caiway.nl caiway.net solcon.nl onsbrabantnet.nl zeelandnet.nl kabelfoon.nl multiweb.nl concepts.nl dds.nl
  freeler.nl wxs.nl versatel.nl telfort.nl 12move.nl vodafonethuis.nl delta.nl freedom.nl luxweb.lu pt.lu internet.lu vo.lu
  # United Kingdom, Ireland
  btinternet.com bt.com btopenworld.com btconnect.com talk21.com sky.com virginmedia.com virgin.net ntlworld.com blueyonder.co.uk
  talktalk.net talktalk.co.uk tiscali.co.uk lineone.net onetel.com plus.com plus.net force9.co.uk plusnet.com o2.co.uk o2email.co.uk
  orange.net wanadoo.co.uk freeserve.co.uk fsnet.co.uk fsmail.net fsworld.co.uk zen.co.uk demon.co.uk eclipse.co.uk waitrose.com
  supanet.com tesco.net madasafish.com ukgateway.net vodafone.net ee.co.uk aol.co.uk lycos.co.uk postmaster.co.uk uwclub.net
  cheerful.com another.com
  eircom.net iol.ie indigo.ie oceanfree.net upcmail.ie vodafone.ie gofree.indigo.ie
  # Italy, Spain, Portugal
  libero.it virgilio.it tin.it tim.it alice.it tiscali.it iol.it inwind.it blu.it fastwebnet.it fastmail.it email.it poste.it aruba.it
  pec.it legalmail.it postecert.it arubapec.it vodafone.it teletu.it kataweb.it interfree.it supereva.it katamail.com gmx.it
  hotmail.it outlook.it jumpy.it infinito.it wind.it windtre.it
  telefonica.net movistar.es terra.es ono.com orange.es ya.com wanadoo.es vodafone.es euskaltel.net euskalnet.net mundo-r.com
  telecable.es jazztel.es eresmas.com correo.com
  sapo.pt clix.pt netcabo.pt mail.telepac.pt telepac.pt iol.pt portugalmail.pt portugalmail.com oninet.pt meo.pt nos.pt vodafone.pt
  # The North
  online.no broadpark.no getmail.no c2i.net start.no lyse.net altibox.no frisurf.no ebnett.no telenor.no sensewave.com
  telia.com telia.se bredband.net bredband2.com comhem.se bahnhof.se spray.se swipnet.se tele2.se glocalnet.net passagen.se home.se
  mail.dk tdcadsl.dk tdc.dk jubii.dk ofir.dk stofanet.dk post.tele.dk post8.tele.dk post.cybercity.dk get2net.dk youmail.dk sol.dk
  webspeed.dk email.dk hotmail.dk live.dk privat.dk
  elisanet.fi elisa.fi kolumbus.fi saunalahti.fi pp.inet.fi inet.fi luukku.com suomi24.fi dnainternet.net mbnet.fi netti.fi nic.fi
  jippii.fi phnet.fi welho.com simnet.is visir.is hive.is internet.is
  # Baltics, Poland, Czechia, Slovakia, Hungary
  mail.ee hot.ee online.ee neti.ee estpak.ee inbox.lv apollo.lv one.lv e-apollo.lv takas.lt zebra.lt one.lt inbox.lt delfi.lt balticum-tv.lt
  wp.pl o2.pl tlen.pl go2.pl onet.pl onet.eu op.pl vp.pl poczta.onet.pl poczta.onet.eu autograf.pl buziaczek.pl amorki.pl spoko.pl
  interia.pl interia.eu interia.com poczta.fm gazeta.pl poczta.pl neostrada.pl hoga.pl hot.pl gg.pl home.pl az.pl prokonto.pl int.pl
  adres.pl czateria.pl intmail.pl pisz.to pacz.to poczta.interia.pl ogarnij.se 1gb.pl 2gb.pl vip.interia.pl
  seznam.cz email.cz post.cz spoluzaci.cz centrum.cz atlas.cz volny.cz tiscali.cz quick.cz iol.cz o2active.cz upcmail.cz firemni.cz
  azet.sk centrum.sk atlas.sk zoznam.sk pobox.sk post.sk inmail.sk orangemail.sk stonline.sk chello.sk gmail.sk
  freemail.hu citromail.hu t-online.hu t-email.hu indamail.hu vipmail.hu upcmail.hu chello.hu digikabel.hu invitel.hu pr.hu axelero.hu
  mailbox.hu
  # The Balkans, Greece, Romania, Bulgaria, Turkey
  siol.net volja.net amis.net telemach.net t-2.net guest.arnes.si net.hr inet.hr vip.hr optinet.hr bnet.hr xnet.hr zg.t-com.hr htnet.hr
  bih.net.ba teol.net blic.net eunet.rs sbb.rs ptt.rs open.telekom.rs yubc.net verat.net beotel.net mts.rs t.ht.hr
  t-home.mk mt.net.mk on.net.mk abv.bg mail.bg dir.bg gbg.bg gyuvetch.bg mbox.contact.bg abcbg.net
  otenet.gr forthnet.gr hol.gr freemail.gr mailbox.gr in.gr pathfinder.gr vodafone.gr windowslive.com the.forthnet.gr tellas.gr
  yahoo.ro rdslink.ro clicknet.ro k.ro email.ro home.ro rdsnet.ro zappmobile.ro personal.ro xnet.ro
  mynet.com ttmail.com turk.net superonline.com ttnet.net.tr hotmail.com.tr mail.com.tr e-kolay.net kablonet.com.tr
  # Russia, Ukraine and neighbours
  mail.ru bk.ru inbox.ru list.ru internet.ru xmail.ru vk.com mail.ua corp.mail.ru yandex.ru yandex.com yandex.net ya.ru yandex.by yandex.kz
  yandex.ua yandex.com.tr yandex.uz yandex.fr yandex.az yandex.ee yandex.lt yandex.lv yandex.md yandex.tj yandex.tm narod.ru
  rambler.ru rambler.ua lenta.ru autorambler.ru myrambler.ru ro.ru r0.ru pochta.ru pochta.com fromru.com front.ru hotbox.ru hotmail.ru
  krovatka.su land.ru mail15.com mail333.com newmail.ru nm.ru nightmail.ru orc.ru pisem.net pochtamt.ru pop3.ru rbcmail.ru smtp.ru
  5ballov.ru aeterna.ru ziza.ru memori.ru photofile.ru fotoplenka.ru pochta.ws nextmail.ru email.ru e-mail.ru e1.ru ngs.ru
  sibmail.com tut.by mail.by qip.ru km.ru hmail.ru mtu-net.ru mts.ru beeline.ru megafon.ru rostelecom.ru gmail.ru sberbank.ru
  ukr.net i.ua ua.fm email.ua meta.ua bigmir.net online.ua ukrpost.ua ukrpost.net 3g.ua ex.ua freemail.ukr.net mail.kz nur.kz inbox.kz
  mail.uz umail.uz inbox.uz day.az mail.az box.az mail.am freenet.am rambler.ru ge.ge mail.ge posta.ge mail.md
  # China, Taiwan, Hong Kong
  qq.com vip.qq.com foxmail.com 163.com vip.163.com 126.com vip.126.com yeah.net 188.com 139.com 189.cn 21cn.com 21cn.net wo.cn wo.com.cn
  sina.com sina.cn sina.com.cn vip.sina.com 2008.sina.com sohu.com vip.sohu.com sogou.com tom.com vip.tom.com 163.net 263.net 263.com 263.net.cn
  aliyun.com alibaba-inc.com etang.com chinaren.com citiz.net eyou.com 371.net x263.net netease.com inbox.com.cn 88.com 111.com email.cn
  mail.china.com china.com china.com.cn hainan.net online.sh.cn bjcb.com.cn wangyi.cn pku.edu.cn
  hinet.net seed.net.tw pchome.com.tw url.com.tw so-net.net.tw giga.net.tw xuite.net kingnet.com.tw ms1.hinet.net yam.com
  netvigator.com hknet.com biznetvigator.com ctimail.com hongkong.com macau.ctm.net ctm.net i-cable.com hkbn.net
  # Japan, Korea
  docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp softbank.jp vodafone.ne.jp t.vodafone.ne.jp disney.ne.jp willcom.com ymobile.ne.jp
  nifty.com nifty.ne.jp biglobe.ne.jp ocn.ne.jp plala.or.jp so-net.ne.jp dion.ne.jp odn.ne.jp infoseek.jp goo.jp goo.ne.jp mail.goo.ne.jp
  excite.co.jp hotmail.co.jp jcom.home.ne.jp jcom.zaq.ne.jp zaq.ne.jp home.ne.jp asahi-net.or.jp eonet.ne.jp tiki.ne.jp hi-ho.ne.jp
  ksn.ne.jp wakwak.com infoweb.ne.jp bea.hi-ho.ne.jp interlink.or.jp rakuten.jp rakumail.jp uqmobile.jp rakuten.co.jp auone.jp mineo.jp
  livedoor.com mail.livedoor.com kyoto-inet.or.jp commufa.jp bbiq.jp nsk.ne.jp cty-net.ne.jp
  naver.com daum.net hanmail.net hanmail.com nate.com kakao.com korea.com empal.com empas.com netsgo.com hanmir.com paran.com dreamwiz.com chol.com hanafos.com lycos.co.kr
  freechal.com hitel.net unitel.co.kr netian.com kornet.net hotmail.co.kr nownuri.net
  # South and South-East Asia
  singnet.com.sg starhub.net.sg pacific.net.sg magix.com.sg tm.net.my streamyx.com jaring.my time.net.my pd.jaring.my maxis.com.my
  telkom.net indosat.net.id cbn.net.id centrin.net.id plasa.com biz.net.id telkomsel.co.id
  pldtdsl.net pldt.com globe.com.ph smart.com.ph skybroadband.com.ph eastern.com.ph
  hcm.vnn.vn vnn.vn fpt.vn viettel.vn fpt.com.vn vnpt.vn zing.vn
  thaimail.com truemail.co.th ksc.th.com loxinfo.co.th csloxinfo.com
  sltnet.lk eureka.lk dialog.lk wow.lk ntc.net.np wlink.com.np mos.com.np grameenphone.com bdcom.com bdonline.com
  cyber.net.pk ptcl.net.pk brain.net.pk super.net.pk nayatel.com
  # Middle East, Africa
  walla.com walla.co.il 012.net.il netvision.net.il bezeqint.net zahav.net.il barak.net.il 013.net nana10.co.il nana.co.il inter.net.il
  emirates.net.ae eim.ae etisalat.ae du.ae saudi.net.sa stc.com.sa awalnet.net.sa qatar.net.qa batelco.com.bh omantel.net.om kems.net
  maktoob.com link.net tedata.net.eg menanet.net cyberia.net.lb inco.com.lb idm.net.lb terra.net.lb jo.jo orange.jo nets.com.jo
  chmail.ir mailfa.com parsmail.com iran.ir vatanmail.ir
  menara.ma iam.ma topnet.tn planet.tn gnet.tn laposte.tn djaweb.dz
  telkomsa.net mweb.co.za iafrica.com webmail.co.za vodamail.co.za absamail.co.za lantic.net polka.co.za mtnloaded.co.za afrihost.co.za
  exclusivemail.co.za homemail.co.za magicmail.co.za mailbox.co.za ravemail.co.za starmail.co.za thecricket.co.za thegolf.co.za
  thepub.co.za therugby.co.za websurfer.co.za workmail.co.za worldonline.co.za
  africaonline.co.ke wananchi.com safaricom.co.ke swiftkenya.com nairobi.com kenyaweb.com multilinks.com zain.com mtnnigeria.net
  africaonline.com.gh ghana.com uganda.co.ug infocom.co.ug utlonline.co.ug raha.com
  # North America
  comcast.net xfinity.com att.net sbcglobal.net bellsouth.net ameritech.net pacbell.net swbell.net snet.net prodigy.net flash.net nvbell.net
  wans.net currently.com cox.net charter.net spectrum.net rr.com roadrunner.com twc.com brighthouse.com bresnan.net optonline.net optimum.net
  suddenlink.net cebridge.net centurylink.net centurytel.net embarqmail.com embarq.com qwest.net q.com msn.com frontier.com frontiernet.net
  windstream.net alltel.net earthlink.net mindspring.com peoplepc.com netzero.net netzero.com juno.com unitedonline.net bluelight.com
  mediacombb.net mchsi.com wowway.com wowway.net knology.net insightbb.com rcn.com hughes.net hughesnet.com wildblue.net excede.net
  exede.net tds.net tds.com gci.net acsalaska.net mtaonline.net hawaii.rr.com hawaiiantel.net cableone.net sparklight.com sparklight.net
  metrocast.net atlanticbb.net zoominternet.net armstrongonewire.com consolidated.net fairpoint.net myfairpoint.net ptd.net epix.net
  lmi.net surewest.net usfamily.net iwon.com erols.com starpower.net cavtel.net ntelos.net shentel.net nctc.com gvtc.com
  hargray.com comporium.net infionline.net ec.rr.com tampabay.rr.com cfl.rr.com nc.rr.com blomand.net usa.net usaa.com
  directv.net sprintmail.com sprint.com sprintpcs.com tmomail.net t-mobile.com pacificbell.net localnet.com inbox.com netins.net
  iowatelecom.net midco.net midconetwork.com gwi.net maine.rr.com first-state.net citizensonline.com frontierlife.com telus.com
  rogers.com bell.net bell.ca sympatico.ca shaw.ca telus.net videotron.ca cogeco.ca eastlink.ca sasktel.net mts.net mymts.net
  nb.sympatico.ca nf.sympatico.ca nbnet.nb.ca aliant.net bellaliant.net tbaytel.net execulink.com execulink.net primus.ca teksavvy.com
  distributel.net ebox.ca start.ca xplornet.com xplornet.ca vif.com magma.ca look.ca globetrotter.net oricom.ca b2b2c.ca accesscomm.ca
  # Latin America
  uol.com.br bol.com.br terra.com.br ig.com.br globo.com globomail.com r7.com oi.com.br zipmail.com.br pop.com.br superig.com.br
  click21.com.br brturbo.com.br ibest.com.br itelefonica.com.br vivo.com.br claro.com.br netsite.com.br veloxmail.com.br
  terra.com terra.com.ar terra.com.mx terra.com.pe terra.cl terra.com.co fibertel.com.ar arnet.com.ar speedy.com.ar ciudad.com.ar
  uolsinectis.com.ar sinectis.com.ar telecentro.com.ar datamarkets.com.ar infovia.com.ar argentina.com fullzero.com.ar netizen.com.ar
  prodigy.net.mx infinitum.com.mx telmex.com axtel.net megared.net.mx cablevision.net.mx izzi.mx telcel.com
  vtr.net entelchile.net entel.cl manquehue.net 123.cl mi.cl chile.com
  une.net.co etb.net.co telecom.com.co emcali.net.co cable.net.co epm.net.co
  cantv.net cantv.com.ve movistar.com.ve telcel.net.ve adinet.com.uy montevideo.com.uy vera.com.uy netgate.com.uy
  infonegocio.net.pe speedy.com.pe peru.com latinmail.com starmedia.com racsa.co.cr ice.co.cr costarricense.cr cwpanama.net
  codetel.net.do claro.net.do tricom.net cable-onda.net enet.cu nauta.cu cubarte.cult.cu etecsa.cu andinanet.net ecua.net.ec punto.net.ec
  entelnet.bo cotas.com.bo supernet.com.bo tigo.com.py click.com.py intelnet.net.gt turbonett.com navegante.com.sv
  # Australia, New Zealand, Pacific
  bigpond.com bigpond.net.au bigpond.com.au telstra.com optusnet.com.au optus.com.au iinet.net.au internode.on.net tpg.com.au dodo.com.au
  westnet.com.au adam.com.au ozemail.com.au iprimus.com.au primusonline.com.au aapt.net.au netspace.net.au exetel.com.au aussiebb.com
  aussiebroadband.com.au hotkey.net.au spin.net.au three.com.au vodafone.com.au people.net.au powerup.com.au fastmail.com.au
  amnet.net.au bluebottle.com australia.edu mailcan.com
  xtra.co.nz spark.co.nz slingshot.co.nz clear.net.nz paradise.net.nz orcon.net.nz vodafone.co.nz actrix.co.nz ihug.co.nz inspire.net.nz
  snap.net.nz maxnet.co.nz woosh.co.nz callplus.net.nz kiwilink.co.nz tvnz.co.nz mail.pf connect.com.fj lagoon.nc canl.nc
`;
