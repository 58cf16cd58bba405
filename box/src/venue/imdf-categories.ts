/**
 * The amenity categories of IMDF 1.0.0 (OGC 20-094, "Categories"). One that is not among them is a typing mistake, or of a later
 * version. The symbols that maps draw are in `proto/venue-categories.ts`, for fewer of them.
 */
export const AMENITY_CATEGORIES: ReadonlySet<string> = new Set(
  `
amphitheater animalreliefarea arrivalgate atm babychanging baggagecarousel baggagecarousel.intl baggagecarts baggageclaim
baggageclaim.oversize baggagerecheck baggagestorage boardinggate boardinggate.aircraft boardinggate.bus boardinggate.ferry
boardinggate.train bus bus.muni bus.national businesscenter cabin caregiver carrental cashier changemachine checkin
checkin.desk checkin.desk.oversizebaggage checkin.desk.transfer checkin.selfservice childplayarea coinlocker copymachine
defibrillator drinkingfountain eatingdrinking elevator emergencyshelter entry escalator exhibit faregate faregate.oversized
fieldofplay fieldofplay.americanfootball fieldofplay.baseball fieldofplay.basketball fieldofplay.fieldhockey
fieldofplay.icehockey fieldofplay.rugby fieldofplay.soccer fieldofplay.softball fieldofplay.tennis fieldofplay.trackfield
fieldofplay.volleyball firealarmpullstation fireextinguisher firstaid fittingroom foodservice gatearea groundtransportation
guestservices handsanitizerstation healthscreening hoteling immigration information information.bid information.carrental
information.hotel information.mufid information.mufid.arrivals information.mufid.departures information.transit landmark
library limo lostandfound mailbox meditation meetingpoint mobilityrescue mothersroom movingwalkway paidarea parkandride
parking parking.bicycle parking.compact parking.ev parking.longterm parking.motorcycle parking.shortterm parking.waitingarea
payphone pedestriancrossing peoplemover phone phone.emergency photobooth platform police powerchargingstation prayerroom
prayerroom.buddhism prayerroom.christianity prayerroom.hinduism prayerroom.islam prayerroom.islam.female prayerroom.islam.male
prayerroom.judaism prayerroom.shintoism prayerroom.sikh prayerroom.taoic privatelounge productreturn rail.muni rail.national
ramp reception.desk recreation restroom restroom.family restroom.female restroom.female.wheelchair restroom.male
restroom.male.wheelchair restroom.transgender restroom.transgender.wheelchair restroom.unisex restroom.unisex.wheelchair
restroom.wheelchair rideshare seat seating security security.checkpoint security.inspection service shower shuttle sleepbox
smokingarea stairs storage strollerrental studentadmissions studentservices swimmingpool swimmingpool.children
swimmingpool.family taxi ticketing ticketing.airline ticketing.bus ticketing.bus.muni ticketing.bus.national ticketing.rail
ticketing.rail.muni ticketing.rail.national ticketing.shuttle traintrack transit unspecified valet vendingmachine
vendingmachine.trainticket wheelchairassist wifi yoga
`
    .trim()
    .split(/\s+/),
)
