(module
  ;; Their names are two digits. The allocator hands out the same place again and again.
  ;; Error 8 is `quota`.
  (import "teacher-assist:plugin/workspace@0.2.0" "open" (func $open (param i32 i32 i32)))
  (import "teacher-assist:plugin/workspace@0.2.0" "[method]directory.read" (func $read (param i32 i32 i32 i32)))
  (memory (export "memory") 18)
  (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 65536))
  (data (i32.const 1024) "\01")
  (data (i32.const 2048) ".")
  (data (i32.const 2064) "00")
  (func (export "teacher-assist:plugin/post-loop@0.2.0#run") (param i32) (result i32) (local $number i32)
    (call $open (i32.const 2048) (i32.const 1) (i32.const 3072))
    (local.set $number (i32.load (i32.const 3076)))
    (loop $again
      (call $read (local.get $number) (i32.const 2064) (i32.const 2) (i32.const 3072))
      (i32.store8 (i32.const 2065) (i32.add (i32.load8_u (i32.const 2065)) (i32.const 1)))
      (if (i32.gt_u (i32.load8_u (i32.const 2065)) (i32.const 57))
        (then
          (i32.store8 (i32.const 2065) (i32.const 48))
          (i32.store8 (i32.const 2064) (i32.add (i32.load8_u (i32.const 2064)) (i32.const 1)))))
      (br_if $again (i32.eqz (i32.load8_u (i32.const 3072)))))
    (if (i32.ne (i32.load8_u (i32.const 3076)) (i32.const 8)) (then (unreachable)))
    (i32.store (i32.const 1028) (i32.load (i32.const 3080)))
    (i32.store (i32.const 1032) (i32.load (i32.const 3084)))
    (i32.const 1024)))
